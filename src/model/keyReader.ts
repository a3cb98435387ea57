import { bareName, isJsonObject, type JsonObject } from './jsonObject.ts';
import type { Key } from './key.ts';
import { isSecretField, maskJson, maskSecrets, maskTexts } from './masking.ts';
import { readTimestamp } from './timestamp.ts';
import { tokenExpiry } from './token.ts';

/** What a field can be of a key. */
type Meaning = 'id' | 'name' | 'createdAt' | 'expiresAt';

/** By which names services call it, the surest first: the shape of a key is not shown (service-interface.md, 4.1). */
const knownNames: Record<Meaning, readonly string[]> = {
  id: ['id', 'keyid', 'tokenid', 'uuid', 'uid', 'kid', 'jti', 'identifier'],
  name: ['name', 'displayname', 'keyname', 'tokenname', 'label', 'title', 'description'],
  createdAt: [
    ...['createdat', 'created', 'createdon', 'creationdate', 'creationtime', 'creationtimestamp'],
    ...['createtime', 'createddate', 'datecreated', 'issuedat', 'iat', 'validaftertime', 'notbefore'],
  ],
  expiresAt: [
    ...['expiresat', 'expires', 'expireson', 'expiresdate', 'expiry', 'expiryat', 'expirydate', 'expirytime'],
    ...['exp', 'expiration', 'expirationdate', 'expirationtime', 'expireat', 'expiretime', 'expiredat'],
    ...['validuntil', 'validto', 'validbeforetime', 'notafter', 'enddate'],
  ],
};

/** Each known name with what it means, and how sure that is: the lower the rank, the surer. */
const meanings = new Map(
  (Object.keys(knownNames) as Meaning[]).flatMap((meaning) =>
    knownNames[meaning].map((name, rank) => [name, { meaning, rank }] as const),
  ),
);

/** What the name of a field tells. */
interface FieldName {
  /** As the service wrote it, with those of the objects around it: `metadata.name`. Masked. */
  shown: string;
  known: { meaning: Meaning; rank: number } | undefined;
  /** Whether its value is a secret, whatever it looks like. */
  secret: boolean;
}

interface Field {
  name: FieldName;
  value: unknown;
}

/** Reads the keys of one list. Their fields have the same names, so that each name is looked at once. */
export class KeyReader {
  readonly #names = new Map<string, FieldName>();

  /** Reads an entry of a list, of whatever shape. Never throws. */
  read(entry: unknown): Key {
    const fields = this.#fields(isJsonObject(entry) ? entry : { value: entry });
    const id = find(fields, 'id', asText);
    const name = find(fields, 'name', asText);
    const createdAt = find(fields, 'createdAt', readTimestamp);
    const expiresAt = find(fields, 'expiresAt', readTimestamp) ?? jwtExpiry(fields);
    return {
      ...(id !== undefined && { id }),
      ...(name !== undefined && { name }),
      ...(createdAt !== undefined && { createdAt }),
      ...(expiresAt !== undefined && { expiresAt }),
      fields: fields.map((field) => ({ name: field.name.shown, text: shownValue(field) })),
    };
  }

  /** An object's own fields before those of objects within it: `metadata.name` counts where `name` is missing. */
  #fields(object: JsonObject, outer = '', depth = 0): Field[] {
    const own: Field[] = [];
    const nested: Field[] = [];
    for (const [key, value] of Object.entries(object)) {
      const path = outer + key;
      if (isJsonObject(value) && depth < 2) nested.push(...this.#fields(value, `${path}.`, depth + 1));
      else own.push({ name: this.#name(path), value });
    }
    return nested.length === 0 ? own : [...own, ...nested];
  }

  #name(path: string): FieldName {
    let name = this.#names.get(path);
    if (name === undefined) {
      const last = path.slice(path.lastIndexOf('.') + 1);
      name = { shown: maskSecrets(path), known: meanings.get(nameIn(path)), secret: isSecretField(last) };
      this.#names.set(path, name);
    }
    return name;
  }
}

/** The value of the surest field with that meaning that can be read. */
function find<T>(
  fields: readonly Field[],
  meaning: Meaning,
  read: (value: unknown) => T | undefined,
): T | undefined {
  let best = Infinity;
  let found: T | undefined;
  for (const { name, value } of fields) {
    if (name.known?.meaning !== meaning || name.known.rank >= best) continue;
    const readable = read(value);
    if (readable === undefined) continue;
    best = name.known.rank;
    found = readable;
  }
  return found;
}

function asText(value: unknown): string | undefined {
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' && value.trim() !== '' ? maskSecrets(value) : undefined;
}

function jwtExpiry(fields: readonly Field[]): number | undefined {
  for (const { value } of fields) {
    const at = typeof value === 'string' ? tokenExpiry(value) : undefined;
    if (at !== undefined) return at;
  }
  return undefined;
}

function shownValue({ name, value }: Field): string {
  const shown = name.secret ? maskTexts(value) : maskJson(value);
  return typeof shown === 'string' ? shown : JSON.stringify(shown);
}

/**
 * The last part of a path names the field; not so in `expires_at.seconds`, which is how protocol buffers write a time.
 */
function nameIn(path: string): string {
  const whole = path.replace(/\.seconds$/, '');
  return bareName(whole.slice(whole.lastIndexOf('.') + 1));
}
