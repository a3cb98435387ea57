import { isJsonObject, type JsonObject } from './jsonObject.ts';

/** How `JSON.parse` hands over a number's own text, and how `JSON.stringify` takes it back. */
declare global {
  interface JSON {
    rawJSON(text: string): object;
    isRawJSON(value: unknown): boolean;
  }
}
type Reviver = (this: unknown, key: string, value: unknown, context: { source?: string }) => unknown;
const parse = JSON.parse as (text: string, reviver: Reviver) => unknown;

/**
 * Parses JSON so that `JSON.stringify` writes every number with the digits it came with: a double cannot hold
 * an id such as 12345678901234567890.
 * @throws SyntaxError where it is not JSON
 */
export function parseExactly(text: string): unknown {
  return parse(text, (_key, value, { source }) =>
    typeof value === 'number' && source !== undefined && String(value) !== source
      ? JSON.rawJSON(source)
      : value,
  );
}

/** The value of a JSON text, as {@link parseExactly} reads it; undefined if the text is not JSON. */
export function parsed(text: string): unknown {
  try {
    return parseExactly(text);
  } catch {
    return undefined;
  }
}

/** Whether a value is a JSON object. A number that kept its digits (`parseExactly`) is not. */
export function isObject(value: unknown): value is JsonObject {
  return isJsonObject(value) && !JSON.isRawJSON(value);
}
