import { t } from '../../shared/text/l10n.ts';
import { UserError } from '../../shared/text/userError.ts';

/** A body is longer than its limit. */
export class TooLongError extends UserError {
  override readonly name = 'TooLongError';
}

/**
 * Passes a body on up to a limit, since it may never end.
 * @param says the error message for a body that is longer
 * @throws TooLongError once more than `maxBytes` bytes have arrived
 */
export async function* boundedBody(
  body: AsyncIterable<Uint8Array>,
  maxBytes: number,
  says?: string,
): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  for await (const piece of body) {
    bytes += piece.byteLength;
    // guard S89: An answer has limits of size and of time.
    if (bytes > maxBytes) {
      throw new TooLongError(
        says ?? t('The response of the service is larger than {0} MiB.', maxBytes / 1024 / 1024),
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
