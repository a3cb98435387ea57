/** So many first bytes tell whether a body is text, where no header does. */
const tellingBytes = 4096;

const textTypes = /^text\/|[/+](json|xml|yaml|x-yaml|javascript|x-ndjson|x-www-form-urlencoded|graphql)\b/i;
const binaryTypes = /^(image|audio|video|font)\/|^application\/(octet-stream|pdf|zip|gzip|x-tar|wasm)\b/i;

const endings: Record<string, string> = {
  'application/gzip': 'gz',
  'application/json': 'json',
  'application/pdf': 'pdf',
  'application/zip': 'zip',
  'audio/mpeg': 'mp3',
  'audio/wav': 'wav',
  'image/gif': 'gif',
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'image/webp': 'webp',
  'text/csv': 'csv',
  'text/html': 'txt',
  'text/plain': 'txt',
  'video/mp4': 'mp4',
};

/**
 * By the header where it is clear, else by the first bytes: a zero byte, or what is no UTF-8.
 * @param beginning of the body
 */
export function isBinary(contentType: string, beginning: Uint8Array): boolean {
  if (textTypes.test(contentType)) return false;
  if (binaryTypes.test(contentType) && !/^image\/svg/i.test(contentType)) return true;
  const telling = beginning.subarray(0, tellingBytes);
  if (telling.includes(0)) return true;
  try {
    // The last character may be cut in two: `stream` forgives that.
    new TextDecoder('utf-8', { fatal: true }).decode(telling, { stream: true });
    return false;
  } catch {
    return true;
  }
}

/** What the name of a file of such a body ends in. It is never taken from what the app named it: that text is not trusted. */
export function endingOf(contentType: string): string {
  const [type = ''] = contentType.toLowerCase().split(';');
  const known = endings[type.trim()];
  if (known !== undefined || !textTypes.test(type)) return known ?? 'bin';
  return /[/+]json\b/.test(type) ? 'json' : 'txt';
}
