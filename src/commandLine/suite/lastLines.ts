import type { Readable } from 'node:stream';
import type { SecretMask } from '../../model/masking/secretMask.ts';
import { oneLine } from '../../model/text/oneLine.ts';

/** How many lines are kept, and how many characters of each. */
const keptLines = 20;
const keptLength = 500;

/** The last lines that a program prints, with its secrets masked. */
export class LastLines {
  readonly #mask: SecretMask;
  readonly #lines: string[] = [];

  constructor(mask: SecretMask) {
    this.#mask = mask;
  }

  get lines(): readonly string[] {
    return this.#lines;
  }

  /** Keeps the last lines of a stream. Memory is bounded, however long a line is. */
  follow(stream: Readable): void {
    // Longer lines are cut off. A line that has the one extra character is known to be cut.
    const most = keptLength + this.#mask.margin + 1;
    let pendingLine = '';
    stream.setEncoding('utf8').on('data', (text: string) => {
      const parts = text.split(/[\r\n]+/);
      const last = parts.pop() ?? '';
      for (const part of parts) {
        this.#keep((pendingLine + part).slice(0, most), most);
        pendingLine = '';
      }
      pendingLine = (pendingLine + last).slice(0, most);
    });
    stream.once('end', () => this.#keep(pendingLine, most));
  }

  #keep(line: string, most: number): void {
    if (line === '') return;
    // A line that was cut off may end with a part of a secret.
    const clean = line.length < most ? this.#mask.text(line) : this.#mask.start(line.slice(0, -1));
    this.#lines.push(oneLine(clean).slice(0, keptLength));
    if (this.#lines.length > keptLines) this.#lines.shift();
  }
}
