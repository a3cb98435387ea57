import type { IncomingMessage } from 'node:http';
import { Refusal } from '../refusal.ts';

const maxBytes = 10 * 1024 * 1024;

/** The whole body of a request. @throws Refusal 413 above 10 MiB; the interface document states no limit */
export async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  // A body that is too long is read to its end too: many callers look for the answer only then.
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes <= maxBytes) chunks.push(chunk);
  }
  if (bytes > maxBytes) throw new Refusal(413, 'The body is larger than 10 MiB.');
  return Buffer.concat(chunks);
}
