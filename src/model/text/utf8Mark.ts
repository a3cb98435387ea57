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
