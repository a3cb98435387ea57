/** Whoever encodes more often does not want to be read. */
const mostTimes = 8;

/**
 * A text of a URL as servers may read it: as it is, then percent-decoded once, twice, …, until nothing is left to
 * decode. Decodes what strict decoders refuse, too, and bytes that are no UTF-8 in either way that is common.
 */
export function decodings(text: string): string[] {
  return [...new Set([...chain(text, latin1), ...chain(text, overlong)])];
}

/** Whether a text is encoded so often that `decodings` does not come to its end. */
export function isEncodedTooOften(text: string): boolean {
  return chain(text, overlong).length > mostTimes;
}

function chain(text: string, bytes: (encoded: string) => string): string[] {
  const all = [text];
  for (let last = text; all.length <= mostTimes; all.push(last)) {
    const next = decoded(last, bytes);
    if (next === last) break;
    last = next;
  }
  return all;
}

function decoded(text: string, bytes: (encoded: string) => string): string {
  return text
    .replace(/%u([0-9a-f]{4})/gi, (_, code: string) => String.fromCharCode(parseInt(code, 16)))
    .replace(/(?:%[0-9a-f]{2})+/gi, (encoded) => {
      try {
        return decodeURIComponent(encoded);
      } catch {
        return bytes(encoded);
      }
    });
}

/** Each byte is a character. */
function latin1(encoded: string): string {
  return encoded.replace(/%(..)/g, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)));
}

/** A character may take more bytes than it needs, such as the dot in `%c0%ae`. */
function overlong(encoded: string): string {
  return latin1(encoded).replace(/(?:[\xc0\xc1]|\xe0[\x80\x81]|\xf0\x80[\x80\x81])[\x80-\xbf]/g, (bytes) =>
    String.fromCharCode(
      ((bytes.charCodeAt(bytes.length - 2) & 1) << 6) | (bytes.charCodeAt(bytes.length - 1) & 63),
    ),
  );
}
