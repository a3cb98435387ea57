import { runIdIn } from '../../model/runs/runId.ts';

/** A longer line, in UTF-16 units, is no event of a stream: it is not kept to be read as one. */
const longestLine = 64 * 1024;

/**
 * Looks for the id of a run in each line that is JSON (server-sent events, JSON lines) while an answer comes. What it
 * finds does not depend on how the answer is cut into pieces.
 */
export class RunIdSearch {
  readonly #decoder = new TextDecoder();
  /** The line that has not ended yet; undefined where it is too long. */
  #line: string | undefined = '';
  #id: string | undefined;

  /** @param id where the head of the answer tells it */
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

  /** No more will come. @param beginning of the body: as much as is searched as a whole */
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

/** Most lines of most bodies name none, and are no JSON of their own. */
function mayName(text: string): boolean {
  return /run_?id/i.test(text);
}

function idIn(text: string): string | undefined {
  return mayName(text) ? runIdIn(text) : undefined;
}
