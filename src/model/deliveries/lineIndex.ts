/** How many lines are remembered: those that a person may still scroll to. */
const remembered = 10_000;

/** Which delivery a line of the output tells of. Lines that read the same stand in the order they came in. */
export class LineIndex {
  readonly #ids = new Map<string, string[]>();
  #count = 0;

  add(line: string, id: string): void {
    const ids = this.#ids.get(line);
    if (ids === undefined) this.#ids.set(line, [id]);
    else ids.push(id);
    this.#count += 1;
    while (this.#count > remembered) this.#dropOldest();
  }

  /** @param occurrence how many lines above read the same */
  idOf(line: string, occurrence = 0): string | undefined {
    return this.#ids.get(line)?.at(occurrence);
  }

  #dropOldest(): void {
    const [oldest] = this.#ids;
    if (oldest === undefined) return;
    this.#ids.delete(oldest[0]);
    this.#count -= oldest[1].length;
  }
}
