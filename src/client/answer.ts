import type { Translate } from '../model/translate.ts';
import { maskSecrets } from '../model/masking.ts';
import { plainText } from '../model/plainText.ts';
import { boundedBody } from './boundedBody.ts';
import type { TransportResponse } from './transport.ts';

/** An answer of the management API that is longer than this is not read on. */
const maxBytes = 64 * 1024 * 1024;

/** How much of what an error body says is shown, and how much is looked at for that: it may be megabytes long. */
const maxErrorText = 300;
const readErrorText = 4096;

/** The whole body as text; bytes that are not UTF-8 become U+FFFD. */
export async function readText(response: TransportResponse, t: Translate): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const piece of boundedBody(response.body, maxBytes, t)) {
    text += decoder.decode(piece, { stream: true });
  }
  return text + decoder.decode();
}

/** JSON where the text is JSON, the text itself where it is not, undefined where there is none. */
export function parseBody(text: string): unknown {
  if (text.trim() === '') return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

/**
 * What an error body says, in one line: `message`, `error` or `detail`, also one level down, else the start
 * of the text. The format is not shown (service-interface.md, section 7). Secrets are masked, and nothing is left
 * that a message of the editor would draw.
 */
export function errorText(body: string): string {
  const text = messageIn(parseBody(body), 0) ?? body;
  const line = maskSecrets(text.slice(0, readErrorText)).replace(/\s+/g, ' ');
  return plainText(line, maxErrorText);
}

/** Where services put what went wrong, best first. */
const messageFields = ['message', 'msg', 'error', 'detail', 'errors'];

function messageIn(value: unknown, depth: number): string | undefined {
  if (typeof value === 'string') return depth > 0 && value.trim() !== '' ? value : undefined;
  if (typeof value !== 'object' || value === null || depth > 3) return undefined;
  if (Array.isArray(value)) {
    const messages = value.flatMap((one) => messageIn(one, depth + 1) ?? []);
    return messages.length > 0 ? messages.join('; ') : undefined;
  }
  const entries = Object.entries(value);
  for (const field of messageFields) {
    const found: unknown = entries.find(([name]) => name.toLowerCase() === field)?.[1];
    const message = messageIn(found, depth + 1);
    if (message !== undefined) return message;
  }
  return undefined;
}
