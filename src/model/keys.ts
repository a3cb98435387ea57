import { bareName, isJsonObject } from './jsonObject.ts';
import { type Key, saysSomething } from './key.ts';
import { KeyReader } from './keyReader.ts';
import { maskJson } from './masking.ts';

/** What was read of an answer. Its shape is not shown (service-interface.md, section 4.1). */
export type KeyList =
  | { kind: 'keys'; keys: Key[] }
  /** `raw` is masked; `count` where at least the number of entries is plain. */
  | { kind: 'unrecognised'; count?: number; raw: unknown };

/** Under what a list is known to lie, best first. */
const wrappers = [
  ...['keys', 'tokens', 'items', 'data', 'results', 'result'],
  ...['serviceaccountkeys', 'content', 'values'],
];

/** How deep a list may lie within wrappers. */
const deepest = 3;

/** Reads the answer to a list call as leniently as it can. Never throws. */
export function readKeys(body: unknown): KeyList {
  const reader = new KeyReader();
  const entries = findEntries(body, reader, 0);
  if (entries !== undefined) {
    const keys = entries.map((entry) => reader.read(entry));
    if (keys.length === 0 || keys.some(saysSomething)) return { kind: 'keys', keys };
  }
  return {
    kind: 'unrecognised',
    ...(entries && { count: entries.length }),
    raw: maskJson(body),
  };
}

/** The list in an answer: bare, wrapped, a map by id, or a single key that stands for a list of one. */
function findEntries(value: unknown, reader: KeyReader, depth: number): unknown[] | undefined {
  if (Array.isArray(value)) return value as unknown[];
  if (!isJsonObject(value) || depth > deepest) return undefined;
  const entries = Object.entries(value);
  for (const wrapper of wrappers) {
    const inner = entries.find(([name]) => bareName(name) === wrapper)?.[1];
    const found = findEntries(inner, reader, depth + 1);
    if (found !== undefined) return found;
  }
  const lists = entries.flatMap(([, inner]) => (Array.isArray(inner) ? [inner as unknown[]] : []));
  if (lists.length === 1 && lists[0]?.some(isJsonObject)) return lists[0];
  const itself = Object.fromEntries(entries.filter(([, inner]) => !isJsonObject(inner)));
  if (saysSomething(reader.read(itself))) return [value];
  if (lists.length === 1) return lists[0];
  if (entries.length > 0 && entries.every(([, inner]) => isJsonObject(inner))) {
    return entries.map(([id, inner]) => ({ id, ...(inner as object) }));
  }
  return saysSomething(reader.read(value)) ? [value] : undefined;
}
