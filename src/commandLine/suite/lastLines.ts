import type { Readable } from 'node:stream';
import type { SecretMask } from '../../model/masking/secretMask.ts';
import { oneLine } from '../../model/text/oneLine.ts';

/** How many lines are told, and how many characters of each. */
const toldLines = 20;
const toldLength = 500;
/** As many lines before them are kept, since a secret may begin in one of these. */
const keptLines = 2 * toldLines;

/** The last lines that a program prints, with its secrets masked. */
export class LastLines {
  readonly #mask: SecretMask;
  /** As they were printed, apart from the ends of those that are cut off, with the stream that they came from. */
  readonly #lines: { text: string; stream: Readable }[] = [];

  constructor(mask: SecretMask) {
    this.#mask = mask;
  }

  get lines(): readonly string[] {
    const clean = this.#lines.map(({ text }) => text);
    // Of two streams, the lines of the other may stand between the parts of a secret.
    for (const stream of new Set(this.#lines.map((line) => line.stream))) {
      const own = this.#lines.flatMap((line, at) => (line.stream === stream ? [at] : []));
      const masked = this.#mask.lines(own.map((at) => clean[at] ?? ''));
      for (const [nth, at] of own.entries()) clean[at] = masked[nth] ?? '';
    }
    return this.#mask
      .lines(clean)
      .slice(-toldLines)
      .map((line) => oneLine(line).slice(0, toldLength));
  }

  /** Keeps the last lines of a stream. Memory is bounded, however long a line is. */
  follow(stream: Readable): void {
    // Longer lines are cut off. A line that has the one extra character is known to be cut.
    const most = toldLength + this.#mask.margin + 1;
    let pendingLine = '';
    const keep = (line: string): void => {
      if (line === '') return;
      // A line that was cut off may end with a part of a secret.
      const text = line.length < most ? line : this.#mask.start(line.slice(0, -1));
      this.#lines.push({ text, stream });
      if (this.#lines.length > keptLines) this.#lines.shift();
    };
    stream.setEncoding('utf8').on('data', (text: string) => {
      const parts = text.split(/[\r\n]+/);
      const last = parts.pop() ?? '';
      for (const part of parts) {
        keep((pendingLine + part).slice(0, most));
        pendingLine = '';
      }
      pendingLine = (pendingLine + last).slice(0, most);
    });
    stream.once('end', () => keep(pendingLine));
  }
}
