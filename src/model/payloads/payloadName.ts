/** Names that Windows gives to devices, whatever they end with. */
const devices = /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i;

/** A payload's name as the name of its file in Runhook's own storage; letters and digits of any script stay readable. */
export function storedNameOf(name: string): string {
  return encode(name, /[^\p{L}\p{N}_ -]/gu);
}

/** An id as a folder's name there. Capitals are written out: some file systems do not tell them apart, and ids do. */
export function storedIdOf(id: string): string {
  return encode(id, /[^a-z0-9_-]/gu);
}

/** A name as people meet it in their own folder: that of a payload's file there, or of an app's folder, on every system. */
export function sharedNameOf(name: string): string {
  const encoded = encode(name, /[^\p{L}\p{N}_ .-]|^[ .]|[ .]$/gu);
  // A part behind a dot counts as little as none.
  return devices.test(encoded) ? encode(encoded, /^./gu) : encoded;
}

/** The name that a file or folder of these stands for; one that a person has named as it is stands for itself. */
export function nameOfFile(file: string): string {
  try {
    return decodeURIComponent(file);
  } catch {
    return file;
  }
}

/**
 * The parts of a folder's path below another.
 * @param path as it stands in a setting, with `/` or `\`
 * @returns undefined for one that is not below it, or is that folder itself
 */
export function pathBelow(path: string): string[] | undefined {
  if (/^([\\/]|[a-z]:)/i.test(path) || /[\p{Cc}]/u.test(path)) return undefined;
  const parts = path.split(/[\\/]/).filter((part) => part !== '' && part !== '.');
  return parts.length === 0 || parts.some((part) => /^\.\.[. ]*$/.test(part)) ? undefined : parts;
}

function encode(text: string, unsafe: RegExp): string {
  return text.replace(unsafe, (character) =>
    [...new TextEncoder().encode(character)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join(''),
  );
}
