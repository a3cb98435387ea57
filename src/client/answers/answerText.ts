import { isUtf8 } from 'node:buffer';

/** A longer answer, in bytes, is not looked at as a whole. */
const most = 256 * 1024;

/** The text of an answer, gathered while it comes. */
export class AnswerText {
  #chunks: Uint8Array[] = [];
  #bytes = 0;

  push(chunk: Uint8Array): void {
    this.#bytes += chunk.length;
    if (this.#bytes <= most) this.#chunks.push(chunk);
    else this.#chunks = [];
  }

  /** Undefined where the answer is too long, or no text. */
  get whole(): string | undefined {
    const bytes = Buffer.concat(this.#chunks);
    return bytes.length === this.#bytes && isUtf8(bytes) ? bytes.toString() : undefined;
  }
}
