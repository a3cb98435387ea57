import type { WholeDelivery } from '../contract/delivery.ts';

/** How much of a binary body is shown, in bytes. */
const dumpedBytes = 1024 * 1024;

/** The raw bytes of a delivery's body. */
export function bodyOf({ body, bodyEncoding }: Pick<WholeDelivery, 'body' | 'bodyEncoding'>): Buffer {
  return Buffer.from(body, bodyEncoding ?? 'utf8');
}

/** The body as an editor can show it: the bytes of a text, or the hex dump of a binary body. */
export function shownBody(delivery: WholeDelivery): Buffer {
  const bytes = bodyOf(delivery);
  return delivery.bodyEncoding === undefined ? bytes : Buffer.from(hexDump(bytes, dumpedBytes));
}

/**
 * A hex dump of binary data. Each line has the offset, sixteen bytes, and their printable characters.
 * @param limit how many bytes are shown
 */
export function hexDump(bytes: Uint8Array, limit: number): string {
  const lines: string[] = [];
  for (let offset = 0; offset < Math.min(bytes.length, limit); offset += 16) {
    const row = Buffer.from(bytes.subarray(offset, Math.min(offset + 16, limit)));
    const hex = row.toString('hex').replace(/../g, '$& ').padEnd(48);
    const text = row.toString('latin1').replace(/[^\x20-\x7e]/g, '.');
    lines.push(`${offset.toString(16).padStart(8, '0')}  ${hex} ${text}`);
  }
  if (bytes.length > limit) lines.push(`… ${bytes.length - limit}`);
  return `${lines.join('\n')}\n`;
}
