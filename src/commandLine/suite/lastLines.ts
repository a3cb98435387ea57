import type { Readable } from 'node:stream';
import type { SecretMask } from '../../model/masking/secretMask.ts';
import { oneLine } from '../../model/text/oneLine.ts';

/** So many lines are kept, each up to so many characters. */
const keptLines = 20;
const keptLength = 500;

/** The last lines that a program prints, without the secrets that it holds. */
export class LastLines {
  readonly #mask: SecretMask;
  readonly #lines: string[] = [];

  constructor(mask: SecretMask) {
    this.#mask = mask;
  }

  get lines(): readonly string[] {
    return this.#lines;
  }

  /** Keeps what comes from a stream, however long a line of it is. */
  follow(stream: Readable): void {
    // What is longer than that is cut off, and one character more tells that it is.
    const most = keptLength + this.#mask.margin + 1;
    let begun = '';
    stream.setEncoding('utf8').on('data', (text: string) => {
      const parts = text.split(/[\r\n]+/);
      const last = parts.pop() ?? '';
      for (const part of parts) {
        this.#keep((begun + part).slice(0, most), most);
        begun = '';
      }
      begun = (begun + last).slice(0, most);
    });
    stream.once('end', () => this.#keep(begun, most));
  }

  #keep(line: string, most: number): void {
    if (line === '') return;
    // A line that is cut off may end with a part of the secret.
    const clean = line.length < most ? this.#mask.text(line) : this.#mask.start(line.slice(0, -1));
    this.#lines.push(oneLine(clean).slice(0, keptLength));
    if (this.#lines.length > keptLines) this.#lines.shift();
  }
}
