import { getLocation } from 'jsonc-parser';
import { nestsTooDeep } from './jsonDepth.ts';

/** Keys and indices that lead to a value, from the outside in. */
export type JsonPath = readonly (string | number)[];

/** Where in a JSON document a cursor stands. The document may be half written. */
export interface JsonCursor {
  /** Whether a key or a value stands here, or would. */
  kind: 'key' | 'value';
  /** Of the object that the key is in, or of the value. */
  path: JsonPath;
  /** The key or value that the cursor is in, as offsets into the text; both are the cursor's where there is none. */
  start: number;
  end: number;
  /** Whether a colon follows: a key that has its value already. */
  hasColon: boolean;
}

/** In characters. */
const longest = 2_000_000;

/**
 * Reads the document up to the cursor. Undefined where nothing can be written: behind the end of a value, or
 * where the document is not JSON; and in one so long or deep that to read it at every key would be felt.
 * @param offset of the cursor
 */
export function jsonCursor(text: string, offset: number): JsonCursor | undefined {
  if (text.length > longest || nestsTooDeep(text.slice(0, offset))) return undefined;
  const { path, previousNode: node, isAtPropertyKey } = getLocation(text, offset);
  const isInside = node !== undefined && offset <= node.offset + node.length;
  const [start, end] = isInside ? [node.offset, node.offset + node.length] : wordAt(text, offset);
  const before = text.slice(0, start).trimEnd().at(-1) ?? '';
  if (!(before === '' || '{[:'.includes(before) || (before === ',' && path.length > 0))) return undefined;
  const written = text.slice(start, end);
  if (offset === end && /^".*"$/s.test(written) && written.length > 1) return undefined;
  return {
    kind: isAtPropertyKey ? 'key' : 'value',
    path: isAtPropertyKey ? path.slice(0, -1) : path,
    start,
    end,
    hasColon: /^\s*:/.test(text.slice(end)),
  };
}

/** What is written around the cursor and is no value yet, such as half of `true`. */
function wordAt(text: string, offset: number): [start: number, end: number] {
  const [behind = ''] = /^[^\s{}[\],:"]*/.exec(text.slice(offset)) ?? [];
  let start = offset;
  while (start > 0 && /[^\s{}[\],:"]/.test(text.charAt(start - 1))) start -= 1;
  return [start, offset + behind.length];
}
