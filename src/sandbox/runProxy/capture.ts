import { isJson } from '../../model/json/jsonScanner.ts';
import { type AppResult, maxWebhookBytes } from '../webhook/webhookBody.ts';

/** Keeps what an app answers while it goes on to the caller, as much of it as a webhook can hold. */
export class Capture {
  readonly #chunks: Uint8Array[] = [];
  #bytes = 0;

  add(chunk: Uint8Array): void {
    if (this.#bytes < maxWebhookBytes) this.#chunks.push(chunk);
    this.#bytes += chunk.byteLength;
  }

  /**
   * The answer: as it was written where it is JSON, else its text, else its bytes.
   * @param contentType the answer's
   */
  result(contentType: string | undefined): AppResult {
    const content = Buffer.concat(this.#chunks).subarray(0, maxWebhookBytes);
    const isWhole = this.#bytes <= maxWebhookBytes;
    const text = decodeUtf8(content, isWhole);
    if (!isWhole) return { bytes: this.#bytes, content: text ?? content };
    const json = isJsonType(contentType) && text !== undefined ? bareJson(text) : undefined;
    const whole = json ?? JSON.stringify(text ?? content.toString('base64'));
    return { bytes: this.#bytes, whole, content: json ?? text ?? content };
  }
}

function isJsonType(contentType: string | undefined): boolean {
  return /^application\/(?:[\w.+-]+\+)?json\b/i.test(contentType ?? '');
}

/** A text as the text of a value of JSON: as it is where it is one, else the string that holds it. */
export function asJson(text: string): string {
  return bareJson(text) ?? JSON.stringify(text);
}

/** A text that is JSON, without a byte-order mark. */
function bareJson(text: string): string | undefined {
  const bare = text.replace(/^\ufeff/, '');
  return isJson(bare) ? bare : undefined;
}

/** Undefined where the bytes are not UTF-8. @param isWhole else the last character may be cut */
function decodeUtf8(bytes: Uint8Array, isWhole: boolean): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes, { stream: !isWhole });
  } catch {
    return undefined;
  }
}
