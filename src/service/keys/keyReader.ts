import { bareName, isJsonObject, type JsonObject } from '../../shared/json/jsonObject.ts';
import { type Key, type KeyState, stateIn, tellsState, worst } from './key.ts';
import { isSecretField, masked, maskJson, maskSecrets } from '../../shared/masking/likelySecrets.ts';
import { readTimestamp } from '../../shared/text/timestamp.ts';
import { tokenExpiry } from './token.ts';

/** The meanings that a field of a key can have. */
type Meaning = 'id' | 'name' | 'createdAt' | 'expiresAt';

/**
 * Bare names that services use for each meaning, most reliable first. The interface document does not show the
 * shape of a key (service-interface.md, 4.1).
 */
const knownNames: Record<Meaning, readonly string[]> = {
  id: ['id', 'keyid', 'tokenid', 'uuid', 'uid', 'kid', 'jti', 'identifier'],
  name: ['name', 'displayname', 'keyname', 'tokenname', 'label', 'title', 'description'],
  createdAt: [
    ...['createdat', 'created', 'createdon', 'creationdate', 'creationtime', 'creationtimestamp'],
    ...['createtime', 'createddate', 'datecreated', 'issuedat', 'iat', 'validaftertime', 'notbefore'],
    ...['createdtime', 'createdtimestamp', 'createddatetime', 'createdts', 'createdatutc', 'createat'],
    ...['createdate', 'insertedat', 'addedat', 'dateadded', 'issuedon', 'issued', 'issuetime', 'issueddate'],
    ...['generatedat', 'validfrom', 'startdate'],
  ],
  expiresAt: [
    ...['expiresat', 'expires', 'expireson', 'expiresdate', 'expiry', 'expiryat', 'expirydate', 'expirytime'],
    ...['exp', 'expiration', 'expirationdate', 'expirationtime', 'expireat', 'expiretime', 'expiredat'],
    ...['validuntil', 'validto', 'validbeforetime', 'notafter', 'enddate', 'expirestime', 'expirestimestamp'],
    ...['expiresdatetime', 'expiresatutc', 'expirytimestamp', 'expirydatetime', 'expirationtimestamp'],
    ...['expirationdatetime', 'expirationat', 'expiredate', 'expiretimestamp', 'expireddate', 'expiredtime'],
    ...['validtill', 'validthrough', 'enddatetime'],
  ],
};

/** What is derived from the name of a field. */
interface FieldName {
  /** The path as the service wrote it, including the objects around the field: `metadata.name`. Masked. */
  shown: string;
  /** The bare name to look up in `knownNames`; undefined if the field is of something else than the key. */
  known: string | undefined;
  /** The bare name if the field reports the state of the key itself, not of something inside it. */
  state: string | undefined;
  /** Whether its value is a secret, whatever it looks like. */
  secret: boolean;
}

interface Field {
  name: FieldName;
  value: unknown;
}

/** The most fields read from an object. The rest is ignored; no key has as many. */
const mostFields = 500;
/** A name longer than this, in characters, is not a known one: its value is treated as a secret. */
const longestName = 200;
/** The longest id, in characters. Names and values are cut to this length. */
const longestText = 1000;
/** How deeply the fields of a key may be nested. */
const deepest = 2;

/** Bare names of objects whose fields describe the key itself. */
const ownObjects = new Set([
  'metadata',
  'spec',
  'status',
  'attributes',
  'key',
  'token',
  'data',
  'validity',
  'properties',
]);

/**
 * Reads the keys of one list. Their fields share names, so each name is analysed only once. What it reads and
 * keeps of an entry is bounded, however large or deeply nested the entry is.
 */
export class KeyReader {
  readonly #names = new Map<string, FieldName>();

  /** Reads a list entry of any shape. Never throws. */
  read(entry: unknown): Key {
    const fields = this.#fields(isJsonObject(entry) ? entry : { value: entry });
    const name = find(fields, 'name', asName);
    const createdAt = find(fields, 'createdAt', readTimestamp);
    const expiresAt = find(fields, 'expiresAt', readTimestamp) ?? jwtExpiry(fields);
    const unreadExpiry = expiresAt === undefined ? find(fields, 'expiresAt', asUnread) : undefined;
    // A long id looks like a secret. Beside a name or dates it is what tells keys apart.
    const isIdShown = [name, createdAt, expiresAt, unreadExpiry].some((one) => one !== undefined);
    const id = find(fields, 'id', (value) => asId(value, isIdShown));
    const state = stateOf(fields);
    return {
      ...(id !== undefined && { id }),
      ...(name !== undefined && { name }),
      ...(createdAt !== undefined && { createdAt }),
      ...(expiresAt !== undefined && { expiresAt }),
      ...(unreadExpiry !== undefined && { unreadExpiry }),
      ...(state !== undefined && { state }),
      fields: fields.map((field) => ({
        name: field.name.shown,
        text: id !== undefined && field.value === id ? id : shownValue(field),
      })),
    };
  }

  /** Lists an object's own fields before those of nested objects: `metadata.name` counts if `name` is missing. */
  #fields(object: JsonObject): Field[] {
    const fields: Field[] = [];
    let level: { object: JsonObject; outer: string }[] = [{ object, outer: '' }];
    for (let depth = 0; level.length > 0; depth += 1) {
      const nested: typeof level = [];
      for (const { object: one, outer } of level) {
        for (const key in one) {
          if (fields.length + nested.length >= mostFields) break;
          const value = one[key];
          const path = outer + (key.length > longestName ? `${key.slice(0, longestName)}…` : key);
          if (isJsonObject(value) && depth < deepest && !isDate(key, value))
            nested.push({ object: value, outer: `${path}.` });
          else fields.push({ name: this.#name(path), value });
        }
      }
      level = nested;
    }
    return fields;
  }

  #name(path: string): FieldName {
    let name = this.#names.get(path);
    if (name === undefined) {
      const last = path.slice(path.lastIndexOf('.') + 1);
      name = {
        shown: maskSecrets(path),
        known: ownName(path),
        state: stateName(path),
        secret: last.endsWith('…') || isSecretField(last),
      };
      this.#names.set(path, name);
    }
    return name;
  }
}

function stateName(path: string): string | undefined {
  const [outer = '', name, ...deeper] = path.split('.').map(bareName);
  if (name === undefined) return tellsState(outer) ? outer : undefined;
  return deeper.length === 0 && ownObjects.has(outer) && tellsState(name) ? name : undefined;
}

function stateOf(fields: readonly Field[]): KeyState | undefined {
  const states = fields.map(({ name, value }) =>
    name.state === undefined
      ? undefined
      : stateIn(name.state, typeof value === 'string' ? maskSecrets(value) : value),
  );
  return worst(states.filter((state) => state !== undefined));
}

/** The value of the most reliable field with that meaning that `read` accepts. */
function find<T>(
  fields: readonly Field[],
  meaning: Meaning,
  read: (value: unknown) => T | undefined,
): T | undefined {
  for (const known of knownNames[meaning]) {
    for (const { name, value } of fields) {
      const readable = name.known === known ? read(value) : undefined;
      if (readable !== undefined) return readable;
    }
  }
  return undefined;
}

/** A name, unless nothing of it is left once secrets are masked: then it would be the same for all. */
function asName(value: unknown): string | undefined {
  const text = asText(value);
  return text === masked ? undefined : text;
}

function asText(value: unknown): string | undefined {
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' && value.trim() !== ''
    ? maskSecrets(value).slice(0, longestText)
    : undefined;
}

/** A long id without the form of a token: hexadecimal digits, or a word for what it is and random characters. */
const longId = /^(?:[\da-f]{32,128}|(?:key|tok|token|id|sa)[_-][A-Za-z\d]{8,64})$/i;

/** An id, unless it looks like a secret: then nothing is known that would tell keys apart. */
function asId(value: unknown, isShown: boolean): string | undefined {
  if (typeof value !== 'string') return asText(value);
  if (value.length > longestText) return undefined;
  const id = value.trim();
  // guard S83: An id that consists of digits is shown only beside a name or dates.
  if (isShown && longId.test(id)) return id;
  const text = asText(value);
  return text === undefined || text.includes(masked) ? undefined : text;
}

/** What stands for an expiry, but cannot be read. undefined for what means that there is none. */
function asUnread(value: unknown): string | undefined {
  if (value === null || value === undefined || value === false || value === 0) return undefined;
  const shown = maskJson(value);
  const text = (typeof shown === 'string' ? shown : JSON.stringify(shown)).trim();
  const isNone =
    /^(?:|0|-1|""|\{\}|\[\]|never|none|null|no|false|unlimited|0001-01-01.*|1970-01-01.*)$/i.test(text);
  return isNone ? undefined : text.slice(0, longestText);
}

/** Whether an object stands for a point in time, by its fields or its name. */
function isDate(name: string, value: JsonObject): boolean {
  return readTimestamp(value) !== undefined || (name.length <= longestName && isDateName(bareName(name)));
}

function isDateName(name: string): boolean {
  return knownNames.createdAt.includes(name) || knownNames.expiresAt.includes(name);
}

function jwtExpiry(fields: readonly Field[]): number | undefined {
  for (const { value } of fields) {
    const at = typeof value === 'string' ? tokenExpiry(value) : undefined;
    if (at !== undefined) return at;
  }
  return undefined;
}

function shownValue({ name, value }: Field): string {
  const shown = maskJson(value, name.secret);
  const text = typeof shown === 'string' ? shown : (JSON.stringify(shown) as string | undefined);
  return (text ?? '').slice(0, longestText);
}

/** The bare name of a field of the key itself, not of something inside it: of `metadata.name`, not of `owner.name`. */
function ownName(path: string): string | undefined {
  const names = path.split('.').map(bareName);
  // guard S84: Values of anything but the key are not read as the key's.
  const own = names.slice(0, -1).every((outer) => ownObjects.has(outer));
  return own ? names.at(-1) : undefined;
}
