/** How many of the first bytes decide whether a body is text, if no header does. */
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
 * Decides by the header if it is clear, else by the first bytes: binary if there is a zero byte or invalid UTF-8.
 * @param beginning the first bytes of the body
 */
export function isBinary(contentType: string, beginning: Uint8Array): boolean {
  if (textTypes.test(contentType)) return false;
  if (binaryTypes.test(contentType) && !/^image\/svg/i.test(contentType)) return true;
  const telling = beginning.subarray(0, tellingBytes);
  if (telling.includes(0)) return true;
  try {
    // `stream` accepts a last character that is cut in two.
    new TextDecoder('utf-8', { fatal: true }).decode(telling, { stream: true });
    return false;
  } catch {
    return true;
  }
}

/** The file extension for a body of that type. Never taken from a name that the app gives: that is not trusted. */
export function endingOf(contentType: string): string {
  const [type = ''] = contentType.toLowerCase().split(';');
  const known = endings[type.trim()];
  if (known !== undefined || !textTypes.test(type)) return known ?? 'bin';
  return /[/+]json\b/.test(type) ? 'json' : 'txt';
}
