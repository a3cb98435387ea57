import type { IncomingMessage } from 'node:http';
import { headerOf } from './rawHeaders.ts';

/** How the reading of a body ended. `cut` is one that broke off: its sender has gone. */
export type ReadBody = { kind: 'whole'; body: Buffer } | { kind: 'tooLarge' } | { kind: 'cut' };

const empty = Buffer.alloc(0);

/** How many bytes the sender has announced; 0 where it has not. */
export function contentLength({ rawHeaders }: IncomingMessage): number {
  return Number(headerOf(rawHeaders, 'content-length') ?? 0);
}

/** Reads the raw bytes of a body, at most `maxBytes` of them; `done` is called once. */
export function readBody(request: IncomingMessage, maxBytes: number, done: (read: ReadBody) => void): void {
  if (contentLength(request) > maxBytes) {
    done({ kind: 'tooLarge' });
    return;
  }
  let chunks: Buffer[] | undefined = [];
  let bytes = 0;
  const finish = (read: ReadBody): void => {
    chunks = undefined;
    done(read);
  };
  // `close` without `end`: the connection broke off before the whole body was here.
  const cut = (): void => {
    if (chunks !== undefined) finish({ kind: 'cut' });
  };
  request
    .on('data', (chunk: Buffer) => {
      if (chunks === undefined) return;
      bytes += chunk.length;
      chunks.push(chunk);
      if (bytes > maxBytes) finish({ kind: 'tooLarge' });
    })
    .on('end', () => {
      if (chunks === undefined) return;
      const [first = empty] = chunks;
      finish({ kind: 'whole', body: chunks.length < 2 ? first : Buffer.concat(chunks, bytes) });
    })
    .on('close', cut)
    .on('error', cut);
}
