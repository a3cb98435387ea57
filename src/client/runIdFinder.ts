import { findRunId } from '../model/runId.ts';

/** More text than this, in UTF-16 units, is not kept to look through. */
const keep = 4 * 1024 * 1024;

/**
 * Looks for the run's id in an answer while it comes: in each line that is JSON (server-sent events, JSON
 * lines), and at the end in the whole body.
 */
export class RunIdFinder {
  readonly #decoder = new TextDecoder();
  #text = '';
  #lineStart = 0;
  #id: string | undefined;

  constructor(headers: Record<string, string>) {
    this.#id = headers['x-run-id'];
  }

  /** The id, as soon as it is known. */
  get id(): string | undefined {
    return this.#id;
  }

  push(chunk: Uint8Array): void {
    if (this.#id !== undefined || this.#text.length > keep) return;
    this.#text += this.#decoder.decode(chunk, { stream: true });
    for (;;) {
      const end = this.#text.indexOf('\n', this.#lineStart);
      if (end < 0 || this.#id !== undefined) return;
      this.#id = idIn(this.#text.slice(this.#lineStart, end).replace(/^data:/, ''));
      this.#lineStart = end + 1;
    }
  }

  /** The body is complete. */
  end(): string | undefined {
    this.#id ??= idIn(this.#text + this.#decoder.decode());
    this.#text = '';
    return this.#id;
  }
}

function idIn(text: string): string | undefined {
  if (!/run_?id/i.test(text)) return undefined;
  try {
    return findRunId(JSON.parse(text));
  } catch {
    // Most lines of most bodies are no JSON of their own.
    return undefined;
  }
}
