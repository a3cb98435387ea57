import { runIdIn } from './runId.ts';

/** The longest line, in UTF-16 units, that is read as an event of a stream. */
const longestLine = 64 * 1024;
/**
 * Searches each line of JSON (server-sent events, JSON lines) for the id of a run while an answer arrives. The result
 * does not depend on how the answer is cut into pieces.
 */
export class RunIdSearch {
  readonly #decoder = new TextDecoder();
  /** The line that has not ended yet; undefined if it is too long. */
  #line: string | undefined = '';
  #id: string | undefined;

  /** @param id the id from the head of the answer, if it has one */
  constructor(id: string | undefined) {
    this.#id = id;
  }

  /** The run's id, as soon as it is known. */
  get id(): string | undefined {
    return this.#id;
  }

  push(piece: Uint8Array): void {
    if (this.#id === undefined) this.#read(this.#decoder.decode(piece, { stream: true }));
  }

  /** No more will arrive. @param beginning the beginning of the body, which is searched as a whole */
  end(beginning: Uint8Array): void {
    this.#id ??= idIn(new TextDecoder().decode(beginning));
  }

  #read(text: string): void {
    const end = text.lastIndexOf('\n');
    if (end < 0) {
      this.#begin(this.#line === undefined ? undefined : this.#line + text);
      return;
    }
    const ended = (this.#line ?? '') + text.slice(0, end);
    const lines = mayName(ended) ? ended.split('\n') : [];
    if (this.#line === undefined) lines.shift();
    for (const line of lines) {
      if (line.length <= longestLine) this.#id ??= idIn(line.replace(/^data:/, ''));
    }
    this.#begin(text.slice(end + 1));
  }

  #begin(line: string | undefined): void {
    this.#line = line !== undefined && line.length <= longestLine ? line : undefined;
  }
}

/** A cheap check before parsing: most lines name no run id, and many are not JSON on their own. */
function mayName(text: string): boolean {
  return /run_?id/i.test(text);
}

function idIn(text: string): string | undefined {
  return mayName(text) ? runIdIn(text) : undefined;
}
