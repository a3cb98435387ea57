import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** A secret that was found. */
export interface SecretHit {
  /** The name that the test gave to the secret. */
  secret: string;
  /** How it is written there. */
  form: string;
  place: string;
}

/**
 * Whatever a session left behind and showed, to be searched for secrets. Nothing is left out: the secret store of
 * a server that tests start lies in the memory of its page, so that no file at all may hold one.
 */
export class SecretSearch {
  readonly #texts = new Map<string, Set<string>>();

  /** Adds a text, once however often it is seen. @param place where it stands, for the report */
  add(place: string, text: string): void {
    const known = this.#texts.get(place);
    if (known === undefined) this.#texts.set(place, new Set([text]));
    else known.add(text);
  }

  /** Adds every file below a folder, its name and its bytes. */
  async addFolder(folder: string): Promise<void> {
    const files = await readdir(folder, { recursive: true, withFileTypes: true });
    await Promise.all(
      files
        .filter((file) => file.isFile())
        .map(async (file) => {
          const path = join(file.parentPath, file.name);
          this.add(path, `${path}\n${await bytesOf(path)}`);
        }),
    );
  }

  /** Whether a text stands in what was added: tells that a place was searched at all. */
  has(place: RegExp, text: string): boolean {
    return [...this.#texts].some(
      ([name, texts]) => place.test(name) && [...texts].some((one) => one.includes(text)),
    );
  }

  /** @param secrets by a name that a report may show */
  hits(secrets: Readonly<Record<string, string>>): SecretHit[] {
    const sought = Object.entries(secrets).flatMap(([secret, value]) =>
      [...formsOf(value)].map(([form, needle]) => ({ secret, form, needle })),
    );
    return [...this.#texts].flatMap(([place, texts]) =>
      sought
        .filter(({ needle }) => [...texts].some((text) => text.includes(needle)))
        .map(({ secret, form }) => ({ secret, form, place })),
    );
  }
}

/** The ways in which a secret may be written down, by their names: whatever holds one of these gives it away. */
export function formsOf(secret: string): Map<string, string> {
  const bytes = Buffer.from(secret);
  const [, , signature] = secret.split('.');
  const forms = new Map([
    ['as it is', secret],
    ['in JSON', JSON.stringify(secret).slice(1, -1)],
    ['in JSON, slashes escaped', JSON.stringify(secret).slice(1, -1).replaceAll('/', '\\/')],
    ['percent-encoded', encodeURIComponent(secret)],
    ['in a query', new URLSearchParams({ '': secret }).toString().slice(1)],
    ['in HTML', secret.replaceAll('&', '&amp;').replaceAll('"', '&quot;')],
    ['in hex', bytes.toString('hex')],
    ['in UTF-16', Buffer.from(secret, 'utf16le').toString('latin1')],
  ]);
  for (const alphabet of ['base64', 'base64url'] as const) {
    for (const before of [0, 1, 2]) {
      forms.set(`in ${alphabet}, after ${before} bytes`, within(bytes, before, alphabet));
    }
  }
  if (signature !== undefined && signature !== '') forms.set('its signature', signature);
  return forms;
}

/** What of a text in base64 is the same whatever stands before and after these bytes. */
function within(bytes: Buffer, before: number, alphabet: 'base64' | 'base64url'): string {
  const encoded = Buffer.concat([Buffer.alloc(before), bytes])
    .toString(alphabet)
    .replaceAll('=', '');
  const isCut = (before + bytes.length) % 3 !== 0;
  return encoded.slice([0, 2, 3][before], isCut ? -1 : undefined);
}

/** As Latin-1, so that every byte is a character; empty where the file has gone meanwhile. */
async function bytesOf(path: string): Promise<string> {
  try {
    return await readFile(path, 'latin1');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return '';
    throw error;
  }
}
