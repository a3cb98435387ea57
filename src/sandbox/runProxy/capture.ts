import { isJson } from '../../model/json/jsonScanner.ts';
import { decodedStart, encodingsIn } from '../../webhooks/encoding/decodedBody.ts';
import { type AppResult, maxWebhookBytes } from '../webhook/webhookBody.ts';

/** Captures an app's answer while it is passed on to the caller, up to the size of a webhook. */
export class Capture {
  readonly #chunks: Uint8Array[] = [];
  #bytes = 0;

  add(chunk: Uint8Array): void {
    if (this.#bytes < maxWebhookBytes) this.#chunks.push(chunk);
    this.#bytes += chunk.byteLength;
  }

  /** The captured answer without its encoding: the webhook holds what the app said. @param header `Content-Encoding` */
  async decoded(header: string | undefined): Promise<Capture> {
    if (this.#bytes > maxWebhookBytes || encodingsIn(header).length === 0) return this;
    const content = Buffer.concat(this.#chunks);
    const most = maxWebhookBytes;
    const { start, bytes, problem } = await decodedStart(content, header, { bytes: content.length, most });
    if (problem !== undefined) return this;
    const decoded = new Capture();
    decoded.add(start);
    decoded.#bytes = bytes ?? start.length;
    return decoded;
  }

  /**
   * The captured answer: unchanged if it is JSON, else its text, else its bytes.
   * @param contentType the answer's Content-Type
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

/** Converts a text to JSON text: unchanged if it is JSON already, else as a JSON string. */
export function asJson(text: string): string {
  return bareJson(text) ?? JSON.stringify(text);
}

/** The text without a byte-order mark; undefined if it is not JSON. */
function bareJson(text: string): string | undefined {
  const bare = text.replace(/^\ufeff/, '');
  return isJson(bare) ? bare : undefined;
}

/** Undefined if the bytes are not UTF-8. @param isWhole if false, the last character may be incomplete */
function decodeUtf8(bytes: Uint8Array, isWhole: boolean): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes, { stream: !isWhole });
  } catch {
    return undefined;
  }
}
