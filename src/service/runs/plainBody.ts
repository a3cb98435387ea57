import { isUtf8 } from 'node:buffer';
import { nestsTooDeep } from '../../shared/json/jsonScanner.ts';
import { keepsDigits } from '../../shared/json/jsonText.ts';

/** A body in a form that JSON can hold: its value if it is JSON, else text, else base64. */
export type PlainBody = ReadBody | { body: string; bodyEncoding: 'base64' };

interface ReadBody {
  body: unknown;
  /** The JSON text as it came, if the value loses digits of a number. */
  bodyText?: string;
}

/** @param contentType the header, if there is one */
export function plainBody(bytes: Uint8Array, contentType?: string): PlainBody {
  if (!isUtf8(bytes)) return { body: Buffer.from(bytes).toString('base64'), bodyEncoding: 'base64' };
  return jsonOrText(new TextDecoder().decode(bytes), contentType);
}

/**
 * The value of a JSON text: one that the header says is JSON, or an object or array that no header says is text. JSON
 * that nests too deep stays text, since callers traverse the value.
 */
export function jsonOrText(text: string, contentType = ''): ReadBody {
  if (/\bjson\b/i.test(contentType) || (!/^text\//i.test(contentType) && /^\s*[[{]/.test(text))) {
    try {
      if (nestsTooDeep(text)) return { body: text };
      const body: unknown = JSON.parse(text);
      return keepsDigits(text) ? { body } : { body, bodyText: text };
    } catch {
      // Declared or taken as JSON, but not valid: it stays text.
    }
  }
  return { body: text };
}
