import { t } from '../model/text/l10n.ts';
import { UserError } from '../model/text/userError.ts';

/** A body has more bytes than are read. */
export class TooLongError extends UserError {
  override readonly name = 'TooLongError';
}

/**
 * A body that is not read on where it never ends.
 * @param says what the user is told then
 * @throws TooLongError once more than `maxBytes` have come
 */
export async function* boundedBody(
  body: AsyncIterable<Uint8Array>,
  maxBytes: number,
  says?: string,
): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  for await (const piece of body) {
    bytes += piece.byteLength;
    // guard: an answer has limits of size and of time
    if (bytes > maxBytes) {
      throw new TooLongError(
        says ?? t('The answer of the service is longer than {0} MiB.', maxBytes / 1024 / 1024),
      );
    }
    yield piece;
  }
}

/** Reads a stream of bytes to its end. */
export async function readAll(body: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** Has a stream of bytes go by that is gathered on its way. @param each is called after each piece */
export async function readToEnd(body: AsyncIterable<Uint8Array>, each?: () => void): Promise<void> {
  const pieces = body[Symbol.asyncIterator]();
  while ((await pieces.next()).done !== true) each?.();
}
