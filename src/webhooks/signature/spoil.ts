/** How long ago a stale delivery was signed, in seconds: more than any handler tolerates. */
export const staleSeconds = 3600;

/** Changes the first digit of a signature. @param signature without the `v1,` */
export function spoilDigit(signature: string): string {
  return `${signature.startsWith('0') ? '1' : '0'}${signature.slice(1)}`;
}

/** Changes the last digit in a body, so that JSON stays JSON, else its first byte. An empty body gets a space. */
export function spoilByte(body: Uint8Array): Uint8Array {
  if (body.length === 0) return Buffer.from(' ');
  const spoiled = Buffer.from(body);
  const at = spoiled.findLastIndex((byte) => byte >= 0x30 && byte <= 0x39);
  const place = Math.max(at, 0);
  spoiled[place] = (spoiled[place] ?? 0) ^ 1;
  return spoiled;
}
