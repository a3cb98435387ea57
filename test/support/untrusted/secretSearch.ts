import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** A secret that was found. */
interface SecretHit {
  /** The test's name for the secret. */
  secret: string;
  /** The name of its encoding: see `encodingsOf`. */
  encoding: string;
  place: string;
}

/**
 * Searches files and displayed texts of a session for secrets. No file may contain one: the secret store of the test
 * server is in the memory of its page.
 */
export class SecretSearch {
  readonly #texts = new Map<string, Set<string>>();

  /** Adds a text; duplicates are ignored. @param place where it was found, for the report */
  add(place: string, text: string): void {
    const known = this.#texts.get(place);
    if (known === undefined) this.#texts.set(place, new Set([text]));
    else known.add(text);
  }

  /** Adds the paths and contents of all files below a folder. */
  async addFolder(folder: string): Promise<void> {
    const files = await readdir(folder, { recursive: true, withFileTypes: true });
    await Promise.all(
      files
        .filter((file) => file.isFile())
        .map(async (file) => {
          const path = join(file.parentPath, file.name);
          this.add(path, `${path}\n${await readIfPresent(path)}`);
        }),
    );
  }

  /** Whether a place has a text. Proves that the search covers the place. */
  has(place: RegExp, text: string): boolean {
    return [...this.#texts].some(
      ([name, texts]) => place.test(name) && [...texts].some((one) => one.includes(text)),
    );
  }

  /** Finds the secrets in all encodings. @param secrets by a name for the report */
  hits(secrets: Readonly<Record<string, string>>): SecretHit[] {
    const sought = Object.entries(secrets).flatMap(([secret, value]) =>
      [...encodingsOf(value)].map(([encoding, needle]) => ({ secret, encoding, needle })),
    );
    return [...this.#texts].flatMap(([place, texts]) =>
      sought
        .filter(({ needle }) => [...texts].some((text) => text.includes(needle)))
        .map(({ secret, encoding }) => ({ secret, encoding, place })),
    );
  }
}

/** The secret in all common encodings, by their names. */
export function encodingsOf(secret: string): Map<string, string> {
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
      forms.set(`in ${alphabet}, after ${before} bytes`, alignedPart(bytes, before, alphabet));
    }
  }
  if (signature !== undefined && signature !== '') forms.set('its signature', signature);
  return forms;
}

/** The part of the bytes' base64 that does not depend on the bytes around them. @param before the number of bytes before them */
function alignedPart(bytes: Buffer, before: number, alphabet: 'base64' | 'base64url'): string {
  const encoded = Buffer.concat([Buffer.alloc(before), bytes])
    .toString(alphabet)
    .replaceAll('=', '');
  const isCut = (before + bytes.length) % 3 !== 0;
  return encoded.slice([0, 2, 3][before], isCut ? -1 : undefined);
}

/** Reads a file as Latin-1, so that every byte is a character. Empty if the file no longer exists. */
async function readIfPresent(path: string): Promise<string> {
  try {
    return await readFile(path, 'latin1');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return '';
    throw error;
  }
}
