import { isUtf8 } from 'node:buffer';
import { nestsTooDeep } from '../model/json/jsonDepth.ts';
import { keepsDigits } from '../model/json/jsonText.ts';

/** A body as plain JSON can hold it: the value where it is JSON, else text, else base64. */
export type PlainBody = ReadBody | { body: string; bodyEncoding: 'base64' };

interface ReadBody {
  body: unknown;
  /** The JSON as it came, where a number of it has digits that the value does not. */
  bodyText?: string;
}

/** @param contentType the header, if there is one */
export function plainBody(bytes: Uint8Array, contentType?: string): PlainBody {
  if (!isUtf8(bytes)) return { body: Buffer.from(bytes).toString('base64'), bodyEncoding: 'base64' };
  return jsonOrText(new TextDecoder().decode(bytes), contentType);
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
