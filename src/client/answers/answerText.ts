import { runIdIn } from '../../model/runs/runId.ts';

/** More text than this, in UTF-16 units, is not kept to look through for an id, or as a whole. */
const searched = 4 * 1024 * 1024;
const longestWhole = 256 * 1024;

/**
 * The text of an answer, gathered while it comes, and the run's id in it: looked for in each line that is JSON
 * (server-sent events, JSON lines), and at the end in the whole body.
 */
export class AnswerText {
  readonly #decoder = new TextDecoder();
  #text = '';
  /** The line that has not ended yet. */
  #line = '';
  #id: string | undefined;

  constructor(headers: Record<string, string>) {
    this.#id = headers['x-run-id'];
  }

  /** The run's id, as soon as it is known. */
  get id(): string | undefined {
    return this.#id;
  }

  /** Undefined where the answer is too long, or no text. */
  get whole(): string | undefined {
    const isText = this.#text.length <= longestWhole && !this.#text.includes('\ufffd');
    return isText ? this.#text : undefined;
  }

  push(chunk: Uint8Array): void {
    if (this.#text.length <= searched) this.#add(this.#decoder.decode(chunk, { stream: true }));
  }

  /** The body is complete. */
  end(): string | undefined {
    this.#add(this.#decoder.decode());
    this.#id ??= idIn(this.#text);
    return this.#id;
  }

  #add(text: string): void {
    this.#text += text;
    const lines = text.split('\n');
    const last = lines.pop() ?? '';
    for (const line of lines) {
      this.#id ??= idIn((this.#line + line).replace(/^data:/, ''));
      this.#line = '';
    }
    this.#line += last;
  }
}

function idIn(text: string): string | undefined {
  // Most lines of most bodies name none, and are no JSON of their own.
  return /run_?id/i.test(text) ? runIdIn(text) : undefined;
}
