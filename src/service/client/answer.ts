import { isUtf8 } from 'node:buffer';
import { nestsTooDeep } from '../../shared/json/jsonScanner.ts';
import { maskSecrets } from '../../shared/masking/likelySecrets.ts';
import { errorMessage, htmlTitle } from '../errorMessage.ts';
import { plainText } from '../../shared/text/plainText.ts';
import { EncodingError } from '../encoding/decoders.ts';
import { boundedBody, readAll } from './boundedBody.ts';
import { decodedResponse } from './decodedResponse.ts';
import { UnreachableError } from './errors.ts';
import type { TransportResponse } from './transport.ts';

/** The longest answer of the management API that is read and parsed, in bytes. */
// guard S92: A list of keys is not read beyond 8 MiB.
export const maxAnswerBytes = 8 * 1024 * 1024;

/** How much of an error body is read, in bytes: its message is at the beginning. */
const maxErrorBytes = 256 * 1024;

/** How much of the message in an error body is shown, and how much of it is searched: it may be megabytes long. */
const maxErrorText = 300;
const searchedErrorText = 4096;

/**
 * The whole body as text; bytes that are not UTF-8 become U+FFFD.
 * @param tooLong the error message for a body longer than `maxAnswerBytes`
 * @throws UserError if the body is longer than that, or is neither text nor what its header says
 */
export async function readText(response: TransportResponse, tooLong?: string): Promise<string> {
  const { body, problem } = await decodedResponse(response, maxAnswerBytes);
  const bytes = await readAll(boundedBody(body, maxAnswerBytes, tooLong));
  if (problem !== undefined && !isUtf8(bytes)) throw new EncodingError(problem);
  return new TextDecoder().decode(bytes);
}

/** The beginning of an error body as text; what has come of it if it breaks off or takes too long. */
export async function readErrorText(response: TransportResponse): Promise<string> {
  const { body, problem } = await decodedResponse(response, maxAnswerBytes);
  const decoder = new TextDecoder();
  let [text, left] = ['', maxErrorBytes];
  try {
    for await (const piece of body) {
      text += decoder.decode(piece.subarray(0, left), { stream: true });
      left -= piece.byteLength;
      if (left <= 0) break;
    }
  } catch (error) {
    // The status is known, and says more than that the reason is missing.
    if (!(error instanceof UnreachableError || error instanceof EncodingError)) throw error;
  }
  text += decoder.decode();
  return problem !== undefined && text.includes('\ufffd') ? problem : text;
}

/**
 * The JSON value of a text; the text itself if it is not JSON or nests too deep to be traversed; undefined if it is
 * blank. An integer that a double cannot hold, such as a long id, becomes the string of its digits.
 */
export function parseBody(text: string): unknown {
  if (text.trim() === '') return undefined;
  if (nestsTooDeep(text)) return text;
  try {
    return JSON.parse(text, (_key, value: unknown, context?: { source?: string }) => {
      const digits = context?.source ?? '';
      return typeof value === 'number' && !Number.isSafeInteger(value) && /^-?\d+$/.test(digits)
        ? digits
        : value;
    }) as unknown;
  } catch {
    return text;
  }
}

/**
 * The message in an error body, in one line: `message`, `error` or `detail`, also further down, with the names of the
 * fields that it is about; the title of an HTML page; else the start of the text. The format is not documented (service-interface.md, section 7).
 * Secrets are masked, and markup that a message of the editor would render is defused.
 */
export function errorText(body: string): string {
  const text = errorMessage(parseBody(body)) ?? htmlTitle(body) ?? body;
  const line = maskSecrets(text.slice(0, searchedErrorText)).replace(/\s+/g, ' ');
  return plainText(line, maxErrorText);
}
