import type { IncomingMessage } from 'node:http';
import { Refusal } from '../refusal.ts';

const maxBytes = 10 * 1024 * 1024;

/** The whole body of a request. @throws Refusal 413 above 10 MiB; the interface document states no limit */
export async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  // Destroying the request would close the connection that the refusal is sent on.
  const incoming = request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>;
  for await (const chunk of incoming) {
    bytes += chunk.length;
    if (bytes > maxBytes) throw new Refusal(413, 'The body is larger than 10 MiB.');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
