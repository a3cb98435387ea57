import { masked } from '../model/masking.ts';

/** A shorter one stands in many a text by chance. */
const shortest = 8;

/**
 * Takes what a call was sent with out of what came back: a service, a proxy or an app may echo its request, and the
 * answer is shown, kept in files and handed to other extensions.
 */
export class SecretMask {
  readonly #forms: readonly string[];
  readonly #needles: readonly Buffer[];

  constructor(secrets: readonly string[]) {
    const forms = secrets
      .filter((secret) => secret.length >= shortest)
      .flatMap((secret) => {
        const inJson = JSON.stringify(secret).slice(1, -1);
        return [secret, inJson, inJson.replaceAll('/', '\\/')];
      });
    this.#forms = [...new Set(forms)];
    this.#needles = this.#forms.map((form) => Buffer.from(form));
  }

  text(text: string): string {
    return this.#forms.reduce((rest, form) => rest.replaceAll(form, masked), text);
  }

  /** The values of headers, by their names. */
  headers(headers: Record<string, string>): Record<string, string> {
    return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, this.text(value)]));
  }

  /** A body as it comes. What may be the beginning of a secret waits for the piece that tells. */
  async *body(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    let held: Uint8Array = new Uint8Array();
    for await (const piece of pieces) {
      const { clean, rest } = this.#clean(held.length > 0 ? Buffer.concat([held, piece]) : bufferOf(piece));
      held = rest;
      if (clean.length > 0) yield clean;
    }
    if (held.length > 0) yield held;
  }

  #clean(bytes: Buffer): { clean: Buffer; rest: Buffer } {
    const done: Buffer[] = [];
    let rest = bytes;
    for (;;) {
      const next = this.#first(rest);
      if (next === undefined) break;
      done.push(rest.subarray(0, next.at), Buffer.from(masked));
      rest = rest.subarray(next.at + next.length);
    }
    const whole = rest.length - Math.max(0, ...this.#needles.map((needle) => begun(rest, needle)));
    const tail = rest.subarray(0, whole);
    return { clean: done.length > 0 ? Buffer.concat([...done, tail]) : tail, rest: rest.subarray(whole) };
  }

  #first(bytes: Buffer): { at: number; length: number } | undefined {
    return this.#needles
      .map((needle) => ({ at: bytes.indexOf(needle), length: needle.length }))
      .filter(({ at }) => at >= 0)
      .sort((a, b) => a.at - b.at)[0];
  }
}

function bufferOf(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** How many of the last bytes are the beginning of the needle, and not yet all of it. */
function begun(bytes: Buffer, needle: Buffer): number {
  for (let length = Math.min(needle.length - 1, bytes.length); length > 0; length -= 1) {
    if (bytes.subarray(bytes.length - length).equals(needle.subarray(0, length))) return length;
  }
  return 0;
}
