import { runIdIn } from '../model/runs/runId.ts';

/** More text than this, in UTF-16 units, is not kept to look through. */
const keep = 4 * 1024 * 1024;

/**
 * Looks for the run's id in an answer while it comes: in each line that is JSON (server-sent events, JSON
 * lines), and at the end in the whole body.
 */
export class RunIdFinder {
  readonly #decoder = new TextDecoder();
  #ended: string[] = [];
  /** Of the line that has not ended yet. */
  #line: string[] = [];
  #length = 0;
  #id: string | undefined;

  constructor(headers: Record<string, string>) {
    this.#id = headers['x-run-id'];
  }

  /** The id, as soon as it is known. */
  get id(): string | undefined {
    return this.#id;
  }

  push(chunk: Uint8Array): void {
    if (this.#id !== undefined || this.#length > keep) return;
    // Each piece is looked at once: an answer may come in very many of them.
    const pieces = this.#decoder.decode(chunk, { stream: true }).split('\n');
    for (const [index, piece] of pieces.entries()) {
      if (index > 0) this.#endLine();
      this.#line.push(piece);
      this.#length += piece.length + 1;
    }
  }

  /** The body is complete. */
  end(): string | undefined {
    this.#line.push(this.#decoder.decode());
    this.#id ??= idIn([...this.#ended, this.#line.join('')].join('\n'));
    [this.#ended, this.#line] = [[], []];
    return this.#id;
  }

  #endLine(): void {
    const line = this.#line.join('');
    this.#id ??= idIn(line.replace(/^data:/, ''));
    this.#ended.push(line);
    this.#line = [];
  }
}

function idIn(text: string): string | undefined {
  // Most lines of most bodies name none, and are no JSON of their own.
  return /run_?id/i.test(text) ? runIdIn(text) : undefined;
}
