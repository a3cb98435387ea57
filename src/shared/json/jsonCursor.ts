import { getLocation } from 'jsonc-parser';
import { nestsTooDeep } from './jsonScanner.ts';

/** Keys and indices that lead to a value, from the outside in. */
export type JsonPath = readonly (string | number)[];

/** The position of a cursor in a JSON document, which may be incomplete. */
interface JsonCursor {
  /** Whether the cursor is where a key or a value is, or would be. */
  kind: 'key' | 'value';
  /** The path of the object that contains the key, or of the value. */
  path: JsonPath;
  /** Offsets of the key or value that the cursor is in; both are the cursor's offset if there is none. */
  start: number;
  end: number;
  /** Whether a colon follows, so that a key already has its value. */
  hasColon: boolean;
}

/** The longest document that is read, in characters. */
const longest = 2_000_000;

/**
 * Reads the document up to the cursor. Undefined where nothing can be inserted: after the end of a value, or where
 * the document is not JSON. Also if it is so long or deep that reading it at every keystroke would be noticeable.
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

/** The incomplete word around the cursor, such as half of `true`. */
function wordAt(text: string, offset: number): [start: number, end: number] {
  const [behind = ''] = /^[^\s{}[\],:"]*/.exec(text.slice(offset)) ?? [];
  let start = offset;
  while (start > 0 && /[^\s{}[\],:"]/.test(text.charAt(start - 1))) start -= 1;
  return [start, offset + behind.length];
}
