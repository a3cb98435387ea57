import { bareName, isJsonObject } from '../json/jsonObject.ts';
import { type Key, saysSomething } from './key.ts';
import { KeyReader } from './keyReader.ts';
import { maskJson, maskSecrets } from '../masking/masking.ts';
import { namesNextPage } from './nextPage.ts';

/** What was read of an answer. Its shape is not shown (service-interface.md, section 4.1). */
export type KeyList =
  | {
      kind: 'keys';
      keys: Key[];
      /** Whether it goes on: the answer names a next page, or holds so many keys that the rest was passed over. */
      goesOn?: 'nextPage' | 'tooMany';
    }
  /** `raw` is masked; `count` where at least the number of entries is plain. */
  | { kind: 'unrecognised'; count?: number; raw: unknown };

/** Under what a list is known to lie, best first. */
const wrappers = [
  ...['keys', 'tokens', 'items', 'data', 'results', 'result'],
  ...['serviceaccountkeys', 'content', 'values'],
];

/** How deep a list may lie within wrappers. */
const deepest = 3;

/** Of a longer list the rest is passed over. */
const mostKeys = 50_000;

/** The entries of a list. */
interface Entries {
  all: unknown[];
  /** Whether nothing else can be meant: the list is bare, or under a name that lists of keys have. */
  isPlain: boolean;
}

/** Reads the answer to a list call as leniently as it can, and in bounds of depth, size and time. Never throws. */
export function readKeys(body: unknown): KeyList {
  const reader = new KeyReader();
  const entries = findEntries(body, reader, 0);
  if (entries !== undefined) {
    const { all, isPlain } = entries;
    // guard: 50,000 keys
    const keys = all
      .slice(0, mostKeys)
      .map((entry) => (isPlain && isId(entry) ? { id: entry, fields: [] } : reader.read(entry)));
    if (keys.length === 0 || keys.some(saysSomething)) {
      const goesOn = all.length > mostKeys ? 'tooMany' : namesNextPage(body) ? 'nextPage' : undefined;
      return { kind: 'keys', keys, ...(goesOn && { goesOn }) };
    }
  }
  return {
    kind: 'unrecognised',
    ...(entries && { count: entries.all.length }),
    raw: maskJson(body),
  };
}

/** The list in an answer: bare, wrapped, a map by id, or a single key that stands for a list of one. */
function findEntries(value: unknown, reader: KeyReader, depth: number): Entries | undefined {
  if (Array.isArray(value)) return { all: value as unknown[], isPlain: true };
  if (!isJsonObject(value) || depth > deepest) return undefined;
  const entries = Object.entries(value);
  for (const wrapper of wrappers) {
    const inner = entries.find(([name]) => bareName(name) === wrapper)?.[1];
    const found = findEntries(inner, reader, depth + 1);
    if (found !== undefined) return found;
  }
  const unsure = (all: unknown[]): Entries => ({ all, isPlain: false });
  const lists = entries.flatMap(([, inner]) => (Array.isArray(inner) ? [inner as unknown[]] : []));
  const [list] = lists.length === 1 ? lists : [];
  if (list?.some(isJsonObject) === true) return unsure(list);
  const itself = Object.fromEntries(entries.filter(([, inner]) => !isJsonObject(inner)));
  if (saysSomething(reader.read(itself))) return unsure([value]);
  if (list !== undefined) return unsure(list);
  if (entries.length > 0 && entries.every(([, inner]) => isJsonObject(inner))) {
    return unsure(entries.slice(0, mostKeys + 1).map(([id, inner]) => ({ id, ...(inner as object) })));
  }
  return saysSomething(reader.read(value)) ? unsure([value]) : undefined;
}

/** A plain string is an id, unless it is a secret by its shape, or a sentence. */
function isId(entry: unknown): entry is string {
  return typeof entry === 'string' && /^\S{1,200}$/.test(entry) && maskSecrets(entry) === entry;
}
