/** How long ago a stale delivery was signed, in seconds: more than any handler tolerates. */
export const staleSeconds = 3600;

/** Another signature of as many digits. @param signature without the `v1,` */
export function spoilDigit(signature: string): string {
  return `${signature.startsWith('0') ? '1' : '0'}${signature.slice(1)}`;
}

/** Changes a digit of a body into another where it can, so that the body stays JSON. One that is empty gets a byte. */
export function spoilByte(body: Uint8Array): Uint8Array {
  if (body.length === 0) return Buffer.from(' ');
  const spoiled = Buffer.from(body);
  const at = spoiled.findLastIndex((byte) => byte >= 0x30 && byte <= 0x39);
  const place = Math.max(at, 0);
  spoiled[place] = (spoiled[place] ?? 0) ^ 1;
  return spoiled;
}
