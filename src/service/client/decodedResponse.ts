import { decodedBody, type DecodedBody, encodingsIn } from '../encoding/decodedBody.ts';
import { boundedBody } from './boundedBody.ts';
import type { TransportResponse } from './transport.ts';

/**
 * The body of an answer without its `Content-Encoding`. If it breaks off before it can be decoded, reading it fails.
 * @param most the largest size, as it came and for each encoding, in bytes
 */
export async function decodedResponse(
  { headers, body, isDecoded = false }: TransportResponse,
  most: number,
): Promise<DecodedBody> {
  const encoding = headers['content-encoding'];
  if (isDecoded || encodingsIn(encoding).length === 0) return { body };
  try {
    // guard S87: A compressed body is decoded before it is masked or shown.
    return await decodedBody(boundedBody(body, most), encoding, { most });
  } catch (error) {
    return { body: failing(error) };
  }
}

// oxlint-disable-next-line require-yield -- it fails before
async function* failing(error: unknown): AsyncGenerator<Uint8Array> {
  await Promise.reject(error instanceof Error ? error : new Error(String(error)));
}
