import { createWriteStream, type WriteStream } from 'node:fs';
import { once } from 'node:events';
import { finished } from 'node:stream/promises';

/** A longer body is shown up to here, in bytes, and kept whole in a file. */
const showBytes = 2 * 1024 * 1024;

/** Where an answer's body stands. */
export type SunkBody =
  | { kind: 'text'; text: string; bytes: number }
  /** `text` is its beginning. */
  | { kind: 'long'; text: string; bytes: number; file: string }
  | { kind: 'binary'; bytes: number; file: string };

/**
 * Takes an answer's body as it comes: text to be shown, and anything binary or long to a file.
 * @param openFile called once at most, when a file is needed; returns its path
 */
export class BodySink {
  readonly #openFile: () => Promise<string>;
  readonly #contentType: string;
  readonly #decoder = new TextDecoder();
  #held: Uint8Array[] = [];
  #stream: WriteStream | undefined;
  #body: SunkBody = { kind: 'text', text: '', bytes: 0 };

  constructor(contentType: string, openFile: () => Promise<string>) {
    this.#contentType = contentType;
    this.#openFile = openFile;
  }

  get body(): SunkBody {
    return this.#body;
  }

  async push(chunk: Uint8Array): Promise<void> {
    const bytes = this.#body.bytes + chunk.length;
    if (this.#body.bytes === 0 && isBinary(this.#contentType, chunk)) {
      this.#body = { kind: 'binary', bytes, file: await this.#toFile(chunk) };
    } else if (this.#body.kind === 'text' && bytes <= showBytes) {
      this.#held.push(chunk);
      this.#body = {
        kind: 'text',
        bytes,
        text: this.#body.text + this.#decoder.decode(chunk, { stream: true }),
      };
    } else if (this.#body.kind === 'text') {
      this.#body = { kind: 'long', bytes, text: this.#body.text, file: await this.#toFile(chunk) };
    } else {
      await this.#toFile(chunk);
      this.#body = { ...this.#body, bytes };
    }
  }

  /** The body is complete, or will not come further. */
  async end(): Promise<SunkBody> {
    if (this.#body.kind === 'text') {
      this.#body = { ...this.#body, text: this.#body.text + this.#decoder.decode() };
    }
    this.#held = [];
    if (this.#stream !== undefined) {
      this.#stream.end();
      await finished(this.#stream);
    }
    return this.#body;
  }

  async #toFile(chunk: Uint8Array): Promise<string> {
    if (this.#stream === undefined) {
      this.#stream = createWriteStream(await this.#openFile(), { flags: 'wx', mode: 0o600 });
      // A failure rejects the wait below; without a listener it would end the process before that.
      this.#stream.on('error', () => undefined);
      await once(this.#stream, 'open');
      for (const held of this.#held) this.#stream.write(held);
      this.#held = [];
    }
    if (!this.#stream.write(chunk)) await once(this.#stream, 'drain');
    return String(this.#stream.path);
  }
}

const textTypes = /^text\/|[/+](json|xml|yaml|x-yaml|javascript|x-ndjson|x-www-form-urlencoded|graphql)\b/i;
const binaryTypes = /^(image|audio|video|font)\/|^application\/(octet-stream|pdf|zip|gzip|x-tar|wasm)\b/i;

/** By the header where it is clear, else by the first bytes: a zero byte, or what is no UTF-8. */
function isBinary(contentType: string, chunk: Uint8Array): boolean {
  if (textTypes.test(contentType)) return false;
  if (binaryTypes.test(contentType) && !/^image\/svg/i.test(contentType)) return true;
  if (chunk.includes(0)) return true;
  try {
    // The last character may be cut in two by the chunk's end: `stream` forgives that.
    new TextDecoder('utf-8', { fatal: true }).decode(chunk, { stream: true });
    return false;
  } catch {
    return true;
  }
}
