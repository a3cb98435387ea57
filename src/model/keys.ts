import { isSecretField, maskJson, masked, maskSecrets } from './masking.ts';
import { readTimestamp } from './timestamp.ts';
import { tokenExpiry } from './token.ts';

/** A key of a service account, as far as it could be read. Nothing in it is a secret any more. */
export interface Key {
  id?: string;
  name?: string;
  /** Milliseconds since 1970, like `expiresAt`. */
  createdAt?: number;
  expiresAt?: number;
  /** Every field that the service sent, known or not, for the tooltip. */
  fields: readonly { name: string; text: string }[];
}

/** By its expiry; `unknown` where the service names none. */
export type KeyStatus = 'valid' | 'expiring' | 'expired' | 'unknown';

/** What was read of an answer. Its shape is not shown (service-interface.md, section 4.1). */
export type KeyList =
  | { kind: 'keys'; keys: Key[] }
  /** `raw` is masked; `count` where at least the number of entries is plain. */
  | { kind: 'unrecognised'; count?: number; raw: unknown };

const names = {
  id: ['id', 'keyid', 'tokenid', 'uuid', 'uid', 'kid', 'jti', 'identifier'],
  name: ['name', 'displayname', 'keyname', 'tokenname', 'label', 'title', 'description'],
  createdAt: [
    ...[
      'createdat',
      'created',
      'createdon',
      'creationdate',
      'creationtime',
      'creationtimestamp',
      'createtime',
    ],
    ...['createddate', 'datecreated', 'issuedat', 'iat', 'validaftertime', 'notbefore'],
  ],
  expiresAt: [
    ...[
      'expiresat',
      'expires',
      'expireson',
      'expiresdate',
      'expiry',
      'expiryat',
      'expirydate',
      'expirytime',
      'exp',
    ],
    ...['expiration', 'expirationdate', 'expirationtime', 'expireat', 'expiretime', 'expiredat', 'expireson'],
    ...['validuntil', 'validto', 'validbeforetime', 'notafter', 'enddate'],
  ],
};

/** Under what a list is known to lie, best first. */
const wrappers = [
  'keys',
  'tokens',
  'items',
  'data',
  'results',
  'result',
  'serviceaccountkeys',
  'content',
  'values',
];

/** Reads the answer to a list call as leniently as it can. Never throws. */
export function readKeys(body: unknown): KeyList {
  const entries = findEntries(body, 0);
  if (entries !== undefined) {
    const keys = entries.map(readKey);
    if (keys.length === 0 || keys.some(says)) return { kind: 'keys', keys };
  }
  return {
    kind: 'unrecognised',
    ...(entries && { count: entries.length }),
    raw: maskJson(body),
  };
}

/** @param now and `expiresAt`: milliseconds since 1970 */
export function keyStatus(expiresAt: number | undefined, now: number, warningDays: number): KeyStatus {
  if (expiresAt === undefined) return 'unknown';
  if (expiresAt <= now) return 'expired';
  return expiresAt - now <= warningDays * 24 * 60 * 60 * 1000 ? 'expiring' : 'valid';
}

function findEntries(value: unknown, depth: number): unknown[] | undefined {
  if (Array.isArray(value)) return value as unknown[];
  if (!isObject(value) || depth > 3) return undefined;
  const entries = Object.entries(value);
  for (const wrapper of wrappers) {
    const inner = entries.find(([name]) => plain(name) === wrapper)?.[1];
    const found = findEntries(inner, depth + 1);
    if (found !== undefined) return found;
  }
  const lists = entries.flatMap(([, inner]) => (Array.isArray(inner) ? [inner as unknown[]] : []));
  if (lists.length === 1 && lists[0]?.some(isObject)) return lists[0];
  if (says(readKey(Object.fromEntries(entries.filter(([, inner]) => !isObject(inner)))))) return [value];
  if (lists.length === 1) return lists[0];
  if (entries.length > 0 && entries.every(([, inner]) => isObject(inner))) {
    return entries.map(([id, inner]) => ({ id, ...(inner as object) }));
  }
  return says(readKey(value)) ? [value] : undefined;
}

function readKey(entry: unknown): Key {
  const flat = isObject(entry) ? flatten(entry) : [{ name: 'value', plain: 'value', value: entry }];
  const id = firstText(flat, names.id);
  const name = firstText(flat, names.name);
  const createdAt = firstTime(flat, names.createdAt);
  const expiresAt = firstTime(flat, names.expiresAt) ?? jwtExpiry(flat);
  return {
    ...(id !== undefined && { id }),
    ...(name !== undefined && { name }),
    ...(createdAt !== undefined && { createdAt }),
    ...(expiresAt !== undefined && { expiresAt }),
    fields: flat.map((field) => ({ name: maskSecrets(field.name), text: fieldText(field) })),
  };
}

/** Whether anything of a key could be read. */
function says({ id, name, createdAt, expiresAt }: Key): boolean {
  return [id, name, createdAt, expiresAt].some((one) => one !== undefined);
}

interface Field {
  name: string;
  /** The name without what differs from service to service. */
  plain: string;
  value: unknown;
}

/** The fields of an entry, its own before those of objects within it: `metadata.name` counts where `name` is missing. */
function flatten(entry: Record<string, unknown>, depth = 0): Field[] {
  const own: Field[] = [];
  const nested: Field[] = [];
  for (const [name, value] of Object.entries(entry)) {
    if (isObject(value) && depth < 2) {
      nested.push(...flatten(value, depth + 1).map((field) => within(name, field)));
    } else {
      own.push({ name, plain: plain(name), value });
    }
  }
  return [...own, ...nested];
}

function within(outer: string, field: Field): Field {
  const name = `${outer}.${field.name}`;
  return { ...field, name, plain: plain(name) };
}

function firstText(fields: readonly Field[], known: readonly string[]): string | undefined {
  for (const candidate of known) {
    for (const { plain, value } of fields) {
      if (plain !== candidate) continue;
      if (typeof value === 'string' && value.trim() !== '') return maskSecrets(value);
      if (typeof value === 'number') return String(value);
    }
  }
  return undefined;
}

function firstTime(fields: readonly Field[], known: readonly string[]): number | undefined {
  for (const candidate of known) {
    for (const { plain, value } of fields) {
      const at = plain === candidate ? readTimestamp(value) : undefined;
      if (at !== undefined) return at;
    }
  }
  return undefined;
}

function jwtExpiry(fields: readonly Field[]): number | undefined {
  for (const { value } of fields) {
    const at = typeof value === 'string' ? tokenExpiry(value) : undefined;
    if (at !== undefined) return at;
  }
  return undefined;
}

function fieldText({ name, value }: Field): string {
  const last = name.slice(name.lastIndexOf('.') + 1);
  if (typeof value === 'string') return isSecretField(last) ? masked : maskSecrets(value);
  return JSON.stringify(maskJson(value));
}

/**
 * `expires_at`, `expiresAt` and `metadata.Expires-At` are the same name. So is `expires_at.seconds`: that is how
 * protocol buffers write a time.
 */
function plain(name: string): string {
  const dot = /\.seconds$/.test(name) ? name.slice(0, -'.seconds'.length) : name;
  return dot
    .slice(dot.lastIndexOf('.') + 1)
    .toLowerCase()
    .replace(/[\s_-]/g, '');
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
