import { open } from 'node:fs/promises';

/** A longer body is shown up to here, in bytes, and kept whole in a file. */
const showBytes = 2 * 1024 * 1024;

/** Where an answer's body stands. */
export type SunkBody =
  | { kind: 'text'; text: string; bytes: number }
  /** `text` is its beginning. */
  | { kind: 'long'; text: string; bytes: number; file: string }
  | { kind: 'binary'; bytes: number; file: string };

/** A file that is written from its beginning to its end. */
export interface SinkFile {
  appendFile(bytes: Uint8Array): Promise<void>;
  close(): Promise<void>;
}

const newFile = (path: string): Promise<SinkFile> => open(path, 'wx', 0o600);

/**
 * Takes an answer's body as it comes: text to be shown, and anything binary or long to a file.
 * Rejects where the file cannot be written, at each piece from then on.
 */
export class BodySink {
  readonly #choosePath: () => Promise<string>;
  readonly #open: (path: string) => Promise<SinkFile>;
  readonly #contentType: string;
  readonly #decoder = new TextDecoder();
  #held: Uint8Array[] = [];
  #file: { path: string; file: SinkFile } | undefined;
  #body: SunkBody = { kind: 'text', text: '', bytes: 0 };

  /**
   * @param choosePath called once, when a file is needed
   * @param open makes the file
   */
  constructor(contentType: string, choosePath: () => Promise<string>, open = newFile) {
    this.#contentType = contentType;
    this.#choosePath = choosePath;
    this.#open = open;
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
    await this.#file?.file.close();
    return this.#body;
  }

  /** @returns the path of the file */
  async #toFile(chunk: Uint8Array): Promise<string> {
    if (this.#file === undefined) {
      const path = await this.#choosePath();
      this.#file = { path, file: await this.#open(path) };
    }
    const { path, file } = this.#file;
    for (const held of this.#held) await file.appendFile(held);
    this.#held = [];
    await file.appendFile(chunk);
    return path;
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
