/** How much of the output of a program is kept, in characters. */
const mostKept = 128 * 1024;

/** The end of what a program has written, and when it wrote it. */
export class OutputTail {
  #parts: { at: number; text: string }[] = [];
  #length = 0;

  /** @param at Unix milliseconds */
  add(text: string, at: number): void {
    const part = text.slice(-mostKept);
    this.#parts.push({ at, text: part });
    this.#length += part.length;
    while (this.#length > mostKept) this.#length -= this.#parts.shift()?.text.length ?? 0;
  }

  /** What was written since then, and a function that tells when a place in it was. */
  since(from: number): { text: string; at: (offset: number) => number } {
    const parts = this.#parts.filter(({ at }) => at >= from);
    const at = (offset: number): number => {
      let end = 0;
      return parts.find(({ text }) => (end += text.length) > offset)?.at ?? from;
    };
    return { text: parts.map(({ text }) => text).join(''), at };
  }
}
