import type { LineTarget } from './forwardText.ts';
import type { LinkedText } from '../text/linkedText.ts';

/** How many lines are remembered: those that a person may still scroll to. */
const remembered = 10_000;

/** Which delivery a line tells of, and which of its words lead somewhere. */
export interface KnownLine extends Pick<LinkedText<LineTarget>, 'links'> {
  id: string;
}

/** What is known of the lines of the output. Lines that read the same stand in the order they came in. */
export class LineIndex {
  readonly #lines = new Map<string, KnownLine[]>();
  #count = 0;

  add(text: string, line: KnownLine): void {
    const same = this.#lines.get(text);
    if (same === undefined) this.#lines.set(text, [line]);
    else same.push(line);
    this.#count += 1;
    while (this.#count > remembered) this.#dropOldest();
  }

  /** @param occurrence how many lines above read the same */
  find(text: string, occurrence = 0): KnownLine | undefined {
    return this.#lines.get(text)?.at(occurrence);
  }

  #dropOldest(): void {
    const [oldest] = this.#lines;
    if (oldest === undefined) return;
    this.#lines.delete(oldest[0]);
    this.#count -= oldest[1].length;
  }
}
