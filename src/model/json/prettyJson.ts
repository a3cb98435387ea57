import { fewJsonTokens, layOut } from './jsonText.ts';

/** JSON of more tokens is left as it came: to lay it out would keep the editor busy, and nobody reads it. */
const mostTokens = 1_000_000;

/**
 * JSON on lines of its own, for reading: each number and string as it is written, and every key, even one that stands
 * there twice. Undefined where the text is not an object or an array of JSON.
 */
export function prettyJson(text: string): string | undefined {
  if (!/^\s*[[{]/.test(text)) return undefined;
  const tokens = fewJsonTokens(text, mostTokens);
  return Array.isArray(tokens) ? layOut(tokens, 'indented', '  ') : undefined;
}
