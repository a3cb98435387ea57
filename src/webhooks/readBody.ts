import type { IncomingMessage } from 'node:http';

/** How the reading of a body ended. `cut` is one that broke off: its sender has gone. */
export type ReadBody = { kind: 'whole'; body: Buffer } | { kind: 'tooLarge' } | { kind: 'cut' };

const empty = Buffer.alloc(0);

/** Reads the raw bytes of a body, at most `maxBytes` of them. */
export function readBody(request: IncomingMessage, maxBytes: number, done: (read: ReadBody) => void): void {
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) {
    done({ kind: 'tooLarge' });
    return;
  }
  const chunks: Buffer[] = [];
  let bytes = 0;
  const onData = (chunk: Buffer): void => {
    bytes += chunk.length;
    chunks.push(chunk);
    if (bytes > maxBytes) finish({ kind: 'tooLarge' });
  };
  const onEnd = (): void => {
    const [first = empty] = chunks;
    finish({ kind: 'whole', body: chunks.length < 2 ? first : Buffer.concat(chunks, bytes) });
  };
  // `close` without `end`: the connection broke off before the whole body was here.
  const onCut = (): void => finish({ kind: 'cut' });
  const finish = (read: ReadBody): void => {
    request.off('data', onData).off('end', onEnd).off('close', onCut).off('error', onCut);
    request.on('error', ignore);
    done(read);
  };
  request.on('data', onData).on('end', onEnd).on('close', onCut).on('error', onCut);
}

/** A request that breaks off after it was judged has nobody left to tell. */
function ignore(): void {
  return;
}
