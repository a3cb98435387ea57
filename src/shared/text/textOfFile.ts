import { t } from './l10n.ts';
import { UserError } from './userError.ts';

/**
 * The text of a file that a user gives. It is UTF-8, with or without a byte order mark, or what `>` writes in
 * PowerShell 5: UTF-16 with such a mark.
 * @throws UserError for anything else: a secret or a body that is read as other characters is another one
 */
export function textOfFile(bytes: Uint8Array): string {
  try {
    const text = new TextDecoder(encodingOf(bytes), { fatal: true }).decode(bytes);
    // UTF-16 without a mark is valid UTF-8 with a NUL in every second byte.
    if (!text.includes('\0')) return text;
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
  }
  throw new UserError(t('It is not UTF-8. Save it as UTF-8.'));
}

/** Whether a file begins with the byte order mark of UTF-16. */
export function isUtf16(bytes: Uint8Array): boolean {
  return encodingOf(bytes) !== 'utf-8';
}

/** The encoding that the first bytes of a file tell: UTF-8 without the byte order mark of another one. */
export function encodingOf([first, second]: Uint8Array): 'utf-8' | 'utf-16le' | 'utf-16be' {
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  return first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8';
}

/** At the start of a text, it tells the editor that this is UTF-8, whatever encoding the user has set for files. */
const mark = Buffer.from('\ufeff');

/** A text as the bytes of a document. */
export function withUtf8Mark(text: string | Uint8Array): Uint8Array {
  return Buffer.concat([mark, Buffer.from(text)]);
}

/** The bytes of such a document as the editor has written it, in the form that is kept. */
export function withoutUtf8Mark(bytes: Uint8Array): Uint8Array {
  return mark.equals(bytes.subarray(0, mark.length)) ? bytes.subarray(mark.length) : bytes;
}
