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

type Level = { kind: 'object'; key: string | undefined } | { kind: 'array'; index: number };

/** A string, closed or not; a bracket or separator; a number or word. */
const token = /"[^"\\\n]*(?:\\.[^"\\\n]*)*"?|[{}[\],:]|[^\s{}[\],:"]+/g;

/**
 * Reads the document up to the cursor. Undefined where nothing can be written: behind the end of a value, or
 * where the document is not JSON; and in one so long that to read it at every key would be felt.
 * @param offset of the cursor
 */
export function jsonCursor(text: string, offset: number): JsonCursor | undefined {
  if (text.length > longest) return undefined;
  const levels: Level[] = [];
  /** Whether a separator or an opening bracket came last, so that something may be written. */
  let isOpen = true;
  let at = { start: offset, end: offset };
  for (const match of text.matchAll(token)) {
    const { 0: word, index } = match;
    const end = index + word.length;
    if (index >= offset && !(index === offset && isOpen && !/^[{}[\],:]/.test(word))) break;
    if (!/^[{}[\],:]/.test(word) && isInside(word, index, offset)) {
      at = { start: index, end };
      break;
    }
    isOpen = take(levels, word);
  }
  if (!isOpen) return undefined;
  const hasColon = /^\s*:/.test(text.slice(at.end));
  const last = levels.at(-1);
  const path = levels.map((level) => (level.kind === 'object' ? level.key : level.index));
  if (last?.kind === 'object' && last.key === undefined) {
    return { kind: 'key', path: defined(path.slice(0, -1)), ...at, hasColon };
  }
  return { kind: 'value', path: defined(path), ...at, hasColon };
}

/** A closed string ends behind its quote; another word may go on where it ends. */
function isInside(word: string, start: number, offset: number): boolean {
  const isClosed = word.length > 1 && word.startsWith('"') && word.endsWith('"');
  const end = start + word.length;
  return offset >= start && (isClosed ? offset < end : offset <= end);
}

/** @returns whether a key or value may follow */
function take(levels: Level[], word: string): boolean {
  const last = levels.at(-1);
  switch (word) {
    case '{':
      levels.push({ kind: 'object', key: undefined });
      return true;
    case '[':
      levels.push({ kind: 'array', index: 0 });
      return true;
    case '}':
    case ']':
      levels.pop();
      return false;
    case ',':
      if (last?.kind === 'object') last.key = undefined;
      if (last?.kind === 'array') last.index += 1;
      return last !== undefined;
    case ':':
      return last?.kind === 'object' && last.key !== undefined;
    default:
      if (last?.kind === 'object' && last.key === undefined) last.key = keyOf(word);
      return false;
  }
}

function keyOf(word: string): string {
  try {
    return String(JSON.parse(word));
  } catch {
    return word.replaceAll('"', '');
  }
}

function defined(path: readonly (string | number | undefined)[]): JsonPath {
  return path.filter((step) => step !== undefined);
}
