/** Device names that Windows reserves, with any extension. */
const devices = /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i;

/** The file name of a payload in Runhook's own storage. Letters and digits of any script stay readable. */
export function storedNameOf(name: string): string {
  return encode(name, /[^\p{L}\p{N}_ -]/gu);
}

/** The folder name of an id in that storage. Capitals are encoded, because some file systems ignore case. */
export function storedIdOf(id: string): string {
  return encode(id, /[^a-z0-9_-]/gu);
}

/** The name of a payload's file or an app's folder in the user's own folder; valid on every system. */
export function sharedNameOf(name: string): string {
  const encoded = encode(name, /[^\p{L}\p{N}_ .-]|^[ .]|[ .]$/gu);
  // A device name stays reserved with an extension.
  return devices.test(encoded) ? encode(encoded, /^./gu) : encoded;
}

/** Decodes such a file or folder name. A name that cannot be decoded, because a person chose it, stays as it is. */
export function nameOfFile(file: string): string {
  try {
    return decodeURIComponent(file);
  } catch {
    return file;
  }
}

/**
 * The parts of a folder's path, relative to a parent folder.
 * @param path as written in a setting, with `/` or `\`
 * @returns undefined if the path is not below the parent folder, or is the parent folder itself
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
