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
  #text = '';
  #bytes = 0;
  #isBinary = false;
  /** What has come until a file is needed. */
  #held: Uint8Array[] = [];
  #file: { path: string; file: SinkFile } | undefined;

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
    const [bytes, text] = [this.#bytes, this.#text];
    if (this.#file === undefined) return { kind: 'text', text, bytes };
    const file = this.#file.path;
    return this.#isBinary ? { kind: 'binary', bytes, file } : { kind: 'long', text, bytes, file };
  }

  async push(chunk: Uint8Array): Promise<void> {
    if (this.#bytes === 0) this.#isBinary = isBinary(this.#contentType, chunk);
    this.#bytes += chunk.length;
    this.#held.push(chunk);
    if (this.#file === undefined && !this.#isBinary && this.#bytes <= showBytes) {
      this.#text += this.#decoder.decode(chunk, { stream: true });
      return;
    }
    if (this.#file === undefined) {
      const path = await this.#choosePath();
      this.#file = { path, file: await this.#open(path) };
    }
    for (const held of this.#held.splice(0)) await this.#file.file.appendFile(held);
  }

  /** The body is complete, or will not come further. */
  async end(): Promise<SunkBody> {
    if (this.#file === undefined) this.#text += this.#decoder.decode();
    this.#held = [];
    await this.#file?.file.close();
    return this.body;
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
