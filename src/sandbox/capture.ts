import type { CallResult } from '../model/webhookEnvelope.ts';

const maxBytes = 10 * 1024 * 1024;

/** Keeps what an app answers while it goes on to the caller, for the webhook. */
export class Capture {
  readonly #chunks: Uint8Array[] = [];
  #bytes = 0;

  add(chunk: Uint8Array): void {
    if (this.#bytes < maxBytes) this.#chunks.push(chunk);
    this.#bytes += chunk.byteLength;
  }

  /**
   * The answer as the text of a value of JSON: what it is as JSON, else its text, else base64.
   * @param contentType the answer's
   */
  result(contentType: string | undefined): Pick<CallResult, 'result' | 'resultEncoding' | 'truncated'> {
    const bytes = Buffer.concat(this.#chunks).subarray(0, maxBytes);
    const cut = this.#bytes > maxBytes ? ({ truncated: true } as const) : {};
    const text = decodeUtf8(bytes);
    if (text === undefined) {
      return { result: JSON.stringify(bytes.toString('base64')), resultEncoding: 'base64', ...cut };
    }
    return { result: JSON.stringify(isJson(contentType) ? parsed(text) : text), ...cut };
  }
}

function isJson(contentType: string | undefined): boolean {
  return /^application\/(?:[\w.+-]+\+)?json\b/i.test(contentType ?? '');
}

/** The value that a text is in JSON, or the text. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Undefined where the bytes are not UTF-8. */
function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
