import { bareName, isJsonObject } from '../../shared/json/jsonObject.ts';
import { maskJson, maskSecrets } from '../../shared/masking/likelySecrets.ts';
import { t } from '../../shared/text/l10n.ts';
import { UserError } from '../../shared/text/userError.ts';
import { type Key, type KeyData, keyData, keyStatus, saysSomething } from './key.ts';
import { KeyReader } from './keyReader.ts';

/** The keys read from a response. The interface document does not show its shape (section 4.1). */
export type KeyList =
  | {
      kind: 'keys';
      keys: Key[];
      /** Set if the list is incomplete: the response refers to a next page, or has too many keys to read all. */
      goesOn?: 'nextPage' | 'tooMany';
    }
  /** `raw` is masked; `count` is set if at least the number of entries is known. */
  | { kind: 'unrecognised'; count?: number; raw: unknown };

/** Bare names of fields that contain nothing but the list: null or an empty object there is a list without entries. */
const listNames: readonly string[] = [
  ...['keys', 'tokens', 'apikeys', 'apitokens', 'accesskeys', 'accesstokens', 'serviceaccountkeys'],
  ...['serviceaccounttokens', 'items'],
];

/** Bare names of fields that are known to contain the list, most likely first. */
const wrappers = new Set([
  ...['keys', 'tokens', 'items', 'data', 'results', 'result', 'embedded', 'response', 'payload'],
  ...[...listNames, 'content', 'values', 'records', 'entries', 'list', 'nodes', 'edges', 'resources'],
]);

/** How many wrappers deep a list may be nested. */
const deepestList = 3;

/** The most keys read from a list. The rest is ignored. */
const mostKeys = 50_000;

/** The entries of a list. */
interface Entries {
  all: unknown[];
  /** Whether the list is unambiguous: bare, or under a name that is known to contain lists of keys. */
  isPlain: boolean;
}

/** @throws UserError if not even the number of keys is known: an empty list would be wrong */
export function listedKeys(list: KeyList, now: number, warningDays: number): KeyData[] {
  if (list.kind === 'keys') {
    return list.keys.map((key) => keyData(key, keyStatus(key.expiresAt, now, warningDays)));
  }
  if (list.count === undefined) {
    throw new UserError(
      t('The service responded, but Runhook does not recognise the format of its key list.'),
    );
  }
  return Array.from({ length: list.count }, () => ({ status: 'unknown' }));
}

/** Reads the response to a list call as leniently as possible, in bounds of depth, size and time. Never throws. */
export function readKeys(body: unknown): KeyList {
  const reader = new KeyReader();
  const entries = findEntries(body, reader, 0);
  if (entries !== undefined) {
    const { all, isPlain } = entries;
    // guard S92: A list has at most 50,000 keys.
    const keys = all
      .slice(0, mostKeys)
      .map(withoutNode)
      .map((entry) => (isPlain && isId(entry) ? { id: entry, fields: [] } : reader.read(entry)));
    if (keys.length === 0 || keys.some(saysSomething)) {
      const goesOn = all.length > mostKeys ? 'tooMany' : saysMore(body, all.length) ? 'nextPage' : undefined;
      return { kind: 'keys', keys, ...(goesOn && { goesOn }) };
    }
  }
  return {
    kind: 'unrecognised',
    ...(entries && { count: entries.all.length }),
    raw: maskJson(body),
  };
}

/**
 * Finds the list in a response: bare, wrapped, a map keyed by id, or a single key that stands for a list of one.
 * @param isNamed whether the value stands under a name that lists of keys have
 */
function findEntries(value: unknown, reader: KeyReader, depth: number, isNamed = false): Entries | undefined {
  if (Array.isArray(value)) return { all: value as unknown[], isPlain: true };
  if (!isJsonObject(value) || depth > deepestList) return undefined;
  const entries = Object.entries(value);
  for (const wrapper of wrappers) {
    const inner = entries.find(([name]) => bareName(name) === wrapper)?.[1];
    const found = findEntries(inner, reader, depth + 1, listNames.includes(wrapper));
    if (found !== undefined) return found;
  }
  const unsure = (all: unknown[]): Entries => ({ all, isPlain: false });
  const lists = entries.flatMap(([, inner]) => (Array.isArray(inner) ? [inner as unknown[]] : []));
  const [list] = lists.length === 1 ? lists : [];
  const isNone = entries.some(([name, inner]) => listNames.includes(bareName(name)) && isEmpty(inner));
  if (isNone && lists.length === 0) return { all: [], isPlain: true };
  if (list?.some(isJsonObject) === true) return unsure(list);
  const itself = Object.fromEntries(entries.filter(([, inner]) => !isJsonObject(inner)));
  if (saysSomething(reader.read(itself))) return unsure([value]);
  if (list !== undefined) return unsure(list);
  if (entries.length > 0 && entries.every(([id, inner]) => isKeyById(id, inner, reader, isNamed))) {
    return unsure(entries.slice(0, mostKeys + 1).map(([id, inner]) => ({ id, ...(inner as object) })));
  }
  return saysSomething(reader.read(value)) ? unsure([value]) : undefined;
}

/** Whether an entry of an object is a key under its id, and not a part of the answer under its name. */
function isKeyById(id: string, inner: unknown, reader: KeyReader, isNamed: boolean): boolean {
  if (!isJsonObject(inner)) return false;
  const read = reader.read(inner);
  if (read.id !== undefined) return read.id === id;
  const isWord = /^[a-z_]+$/i.test(id);
  return (isNamed || !isWord) && saysSomething(read);
}

function isEmpty(value: unknown): boolean {
  return value === null || (isJsonObject(value) && Object.keys(value).length === 0);
}

/** GraphQL wraps each entry of a list once more. */
function withoutNode(entry: unknown): unknown {
  return isJsonObject(entry) && isJsonObject(entry['node']) ? entry['node'] : entry;
}

/** A string is an id unless it looks like a secret, has white space, or is longer than 200 characters. */
function isId(entry: unknown): entry is string {
  return typeof entry === 'string' && /^\S{1,200}$/.test(entry) && maskSecrets(entry) === entry;
}

/**
 * Bare names of fields that refer to a next page. The interface document does not show pagination
 * (service-interface.md, section 4.1).
 */
const nextNames = new Set([
  ...['next', 'nextpage', 'nextpagetoken', 'nexttoken', 'nextcursor', 'nexturl', 'nexturi', 'nextlink'],
  ...['nexthref', 'continue', 'continuationtoken', 'hasmore', 'hasnext', 'hasnextpage', 'more'],
  ...['istruncated', 'truncated', '@odata.nextlink'],
]);

/** Bare names of objects that may contain such a field, or one of those below, if it is not at the top level. */
const containers = new Set([
  ...['links', 'pagination', 'paging', 'page', 'pageinfo', 'pages', 'meta', 'metadata', 'cursor', 'cursors'],
  ...['data', 'result', 'results', 'response', 'embedded', 'resultset', 'payload', 'resultinfo'],
  ...['paginginfo', 'paginationinfo', 'listmeta', 'listmetadata', 'pagemetadata', 'responsemetadata'],
]);

const deepest = 2;

/** Bare names of fields that say how many entries, or pages, there are in all. */
const totalNames = new Set([
  ...['total', 'totalcount', 'totalelements', 'totalitems', 'totalresults', 'totalrecords', 'totalsize'],
  ...['totalhits', 'totalrows', 'totalentries', 'itemcount', 'recordcount', 'resultcount', 'count'],
]);
const pageNames = new Set(['totalpages', 'pagecount', 'pagestotal', 'numpages', 'lastpage', 'pages']);
/** Those that say of themselves whether the page is the last one. */
const lastNames = new Set(['last', 'islast', 'lastpage', 'islastpage', 'complete', 'iscomplete', 'eof']);
const leftNames = new Set(['remaining', 'remainingitemcount']);

/**
 * Whether a response says that there are more entries than those in it: it refers to a next page, counts more, or
 * says that it is not the last one. Empty values do not count.
 */
export function saysMore(body: unknown, entries: number, depth = 0): boolean {
  if (!isJsonObject(body)) return false;
  for (const name in body) {
    const bare = bareName(name);
    const value = body[name];
    if (nextNames.has(bare) && isPresent(value)) return true;
    if (lastNames.has(bare) && (value === false || value === 'false')) return true;
    if (totalNames.has(bare) && numberIn(value) > entries) return true;
    if (pageNames.has(bare) && numberIn(value) > 1) return true;
    if (leftNames.has(bare) && numberIn(value) > 0) return true;
    if (depth < deepest && containers.has(bare) && saysMore(value, entries, depth + 1)) return true;
  }
  return false;
}

/** A number, also where it is written as a text or in an object: `{"total": {"value": 50}}`. */
function numberIn(value: unknown): number {
  if (typeof value === 'string' && /^\s*\d+\s*$/.test(value)) return Number(value);
  if (isJsonObject(value)) return numberIn(value['value']);
  return typeof value === 'number' ? value : 0;
}

function isPresent(value: unknown): boolean {
  if (typeof value === 'string') return value.trim() !== '' && value !== 'false';
  if (typeof value === 'number') return value > 0;
  return value === true || (isJsonObject(value) && Object.values(value).some(isPresent));
}
