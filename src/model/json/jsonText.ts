import { isJson, scanJson } from './jsonScanner.ts';

/** How a JSON text is laid out. */
export type Layout = 'compact' | 'spaced' | 'indented';

/** How a serialiser writes the characters of a string. */
export type Escaping =
  | 'asItIs'
  /** As JSON.stringify and Rust's serde do. */
  | 'none'
  /** As Python's json.dumps does. */
  | 'nonAscii'
  /** As PHP's json_encode does. */
  | 'nonAsciiAndSlashes'
  /** As Go's encoding/json does. */
  | 'html';

/** Deeper texts are not laid out: their indentation alone could grow without bounds. */
const maxDepth = 64;

/**
 * The tokens of a JSON text, each as written: numbers keep their digits, strings their escapes. Undefined if the
 * text is not JSON; `tooMany` if it has `most` tokens or more.
 */
export function fewJsonTokens(text: string, most: number): string[] | 'tooMany' | undefined {
  const tokens: string[] = [];
  const end = scanJson(text, (start, behind) => tokens.push(text.slice(start, behind)) < most);
  if (end === 'stopped') return 'tooMany';
  return end === 'end' && isJson(text) ? tokens : undefined;
}

/** A JSON text without the white space between its tokens. */
export function compactJson(text: string): string {
  let compact = '';
  // Adjacent tokens are copied as one slice.
  let [begin, behind] = [0, 0];
  const end = scanJson(text, (start, next) => {
    if (start !== behind) {
      compact += text.slice(begin, behind);
      begin = start;
    }
    behind = next;
    return true;
  });
  return end === 'end' && isJson(text) ? compact + text.slice(begin, behind) : text;
}

/** Whether every number of a JSON text is written as JavaScript writes its value. */
export function keepsDigits(text: string): boolean {
  return (
    scanJson(text, (start, end) => {
      const token = text.slice(start, end);
      return !/^[-\d]/.test(token) || String(Number(token)) === token;
    }) !== 'stopped'
  );
}

/** The tokens, with their strings escaped in another way. */
export function encodeStrings(tokens: readonly string[], escaping: Escaping): readonly string[] {
  if (escaping === 'asItIs') return tokens;
  return tokens.map((one) => (one.startsWith('"') ? encodeString(one, escaping) : one));
}

function encodeString(text: string, escaping: Exclude<Escaping, 'asItIs'>): string {
  const plain = JSON.stringify(JSON.parse(text));
  switch (escaping) {
    case 'none':
      return plain;
    case 'nonAscii':
      return plain.replace(/[^\0-\x7f]/g, unicodeEscape);
    case 'nonAsciiAndSlashes':
      return plain.replace(/[^\0-\x7f]/g, unicodeEscape).replaceAll('/', String.raw`\/`);
    case 'html':
      return plain.replace(/[<>&\u2028\u2029]/g, unicodeEscape);
  }
}

function unicodeEscape(character: string): string {
  return String.raw`\u` + character.charCodeAt(0).toString(16).padStart(4, '0');
}

/**
 * The tokens as one text. Undefined if they nest deeper than anybody would lay out by hand.
 * @param indent one level of indentation, for the layout `indented`
 */
export function layOut(tokens: readonly string[], layout: Layout, indent = ''): string | undefined {
  if (layout === 'compact') return tokens.join('');
  if (layout === 'spaced') {
    return tokens.map((one) => (one === ',' || one === ':' ? `${one} ` : one)).join('');
  }
  let depth = 0;
  const parts: string[] = [];
  const newLine = () => `\n${indent.repeat(depth)}`;
  for (const [index, one] of tokens.entries()) {
    const empty = isOpening(tokens[index - 1]) && isClosing(one);
    if (isClosing(one)) {
      depth -= 1;
      parts.push(empty ? one : newLine() + one);
    } else if (isOpening(one)) {
      depth += 1;
      if (depth > maxDepth) return undefined;
      parts.push(isClosing(tokens[index + 1]) ? one : one + newLine());
    } else if (one === ',') {
      parts.push(one + newLine());
    } else {
      parts.push(one === ':' ? ': ' : one);
    }
  }
  return parts.join('');
}

/** JSON with more tokens is left as received: laying it out would keep the editor busy, and nobody reads it. */
const mostTokens = 1_000_000;

/**
 * JSON indented for reading. Numbers and strings stay as written, and so does every key, even a duplicate.
 * Undefined if the text is not a JSON object or array, or is too long or too deep.
 */
export function prettyJson(text: string): string | undefined {
  if (!/^\s*[[{]/.test(text)) return undefined;
  const tokens = fewJsonTokens(text, mostTokens);
  return Array.isArray(tokens) ? layOut(tokens, 'indented', '  ') : undefined;
}

function isOpening(one: string | undefined): boolean {
  return one === '{' || one === '[';
}

function isClosing(one: string | undefined): boolean {
  return one === '}' || one === ']';
}
