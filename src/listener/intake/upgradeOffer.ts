import type { IncomingMessage } from 'node:http';

/**
 * The bytes of a request that offers to upgrade, as those of one that does not: Node's parser reads nothing behind such
 * an offer.
 * @param head what came behind its headers
 */
export function withoutOffer(
  { method, url, httpVersion, rawHeaders }: IncomingMessage,
  head: Buffer,
): Buffer {
  const lines = [`${method ?? ''} ${url ?? ''} HTTP/${httpVersion}`];
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? '';
    if (name.toLowerCase() !== 'upgrade') lines.push(`${name}: ${rawHeaders[at + 1] ?? ''}`);
  }
  return Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), head]);
}
