import { nestsTooDeep } from '../model/json/jsonDepth.ts';
import { keepsDigits } from '../model/json/jsonText.ts';

/** A body as plain JSON can hold it: the value where it is JSON, else text, else base64. */
export type PlainBody = ReadBody | { body: string; bodyEncoding: 'base64' };

interface ReadBody {
  body: unknown;
  /** The JSON as it came, where a number of it has digits that the value does not. */
  bodyText?: string;
}

/** Reads a stream of bytes to its end. */
export async function readAll(body: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** @param contentType the header, if there is one */
export function plainBody(bytes: Uint8Array, contentType?: string): PlainBody {
  const text = asText(bytes);
  return text === undefined
    ? { body: Buffer.from(bytes).toString('base64'), bodyEncoding: 'base64' }
    : jsonOrText(text, contentType);
}

/**
 * The value where the text is JSON: said to be, or an object or array that no header says to be text. JSON that
 * nests too deep stays a text: whoever is handed its value goes through it.
 */
export function jsonOrText(text: string, contentType = ''): ReadBody {
  if (/\bjson\b/i.test(contentType) || (!/^text\//i.test(contentType) && /^\s*[[{]/.test(text))) {
    try {
      if (nestsTooDeep(text)) return { body: text };
      const body: unknown = JSON.parse(text);
      return keepsDigits(text) ? { body } : { body, bodyText: text };
    } catch {
      // Said to be JSON, and is not: text, then.
    }
  }
  return { body: text };
}

/** The text where the bytes are UTF-8. */
function asText(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
