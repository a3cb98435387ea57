import { plainText } from '../../shared/text/plainText.ts';
import { t } from '../../shared/text/l10n.ts';
import { decode, type DecodingLimits, EncodingError, isKnown } from './decoders.ts';

/** A body without its `Content-Encoding`. */
export interface DecodedBody {
  body: AsyncIterable<Uint8Array>;
  /** Why the body is passed on as it came, though a header names an encoding. */
  problem?: string;
}

/** The name of the header that is added to those of a body that could not be decoded. */
export const problemHeader = 'runhook-note';

/** No service stacks more; each one more would let few bytes become very many. */
const mostEncodings = 4;
/** How much may be read before anything is decoded, in bytes: a head can be long, and hold nothing. */
const mostHeld = 256 * 1024;

/**
 * Decodes a body as its header says. Waits for the first decoded byte: a body that is not encoded, or in no way that is
 * known, is passed on as it came.
 * @param header `Content-Encoding`; several are listed in the order in which they were applied
 */
export async function decodedBody(
  body: AsyncIterable<Uint8Array>,
  header: string | undefined,
  { most, isCut = false }: DecodingLimits,
): Promise<DecodedBody> {
  const encodings = encodingsIn(header);
  if (encodings.length === 0) return { body };
  const named = plainText(encodings.join(', '), 60);
  if (encodings.length > mostEncodings || !encodings.every(isKnown)) {
    return { body, problem: t('The body is shown as it came: its encoding {0} is not known.', named) };
  }
  const source = new HeldBody(body);
  let decoded: AsyncIterable<Uint8Array> = source.pieces();
  for (const encoding of encodings.reverse()) decoded = decode(decoded, encoding, { most, isCut });
  const pieces = decoded[Symbol.asyncIterator]();
  try {
    const { first, next } = await beginningOf(pieces, source);
    source.letGo();
    return { body: rest(first, next, pieces, source, named) };
  } catch (error) {
    if (source.hasFailed) throw error;
    const problem = t('The body is shown as it came: it is not {0}, although its header says so.', named);
    return { body: source.all(), problem };
  }
}

/** The first bytes of a decoded body, and the length of all of it, as far as that is known. */
interface DecodedStart {
  start: Buffer;
  bytes?: number;
  problem?: string;
}

/**
 * The same for a body of which the beginning is kept.
 * @param bytes its length as it came; absent if it was not read to its end
 * @param most how much is kept
 */
export async function decodedStart(
  beginning: Buffer,
  header: string | undefined,
  { bytes, most }: { bytes: number | undefined; most: number },
): Promise<DecodedStart> {
  const known = bytes !== undefined && { bytes };
  if (beginning.length === 0 || encodingsIn(header).length === 0) return { start: beginning, ...known };
  const isCut = bytes !== beginning.length;
  const { body, problem } = await decodedBody(once(beginning), header, {
    most: countedBytes,
    isCut,
  });
  if (problem !== undefined) return { start: beginning, ...known, problem };
  const chunks: Uint8Array[] = [];
  let length = 0;
  try {
    for await (const chunk of body) {
      if (length < most) chunks.push(chunk);
      length += chunk.byteLength;
    }
  } catch (error) {
    if (!(error instanceof EncodingError)) throw error;
    return { start: startOf(chunks, most), problem: error.message };
  }
  if (length === 0 && isCut) {
    const early = t('The body is shown as it came: it is too short to decode.');
    return { start: beginning, ...known, problem: early };
  }
  return { start: startOf(chunks, most), ...(!isCut && { bytes: length }) };
}

async function* once(piece: Uint8Array): AsyncGenerator<Uint8Array> {
  yield await Promise.resolve(piece);
}

/** How far the decoded bytes of a body are counted of which the beginning is kept. */
const countedBytes = 64 * 1024 * 1024;

/** Copied: a slice of a large chunk would keep all of the chunk in memory. */
function startOf(chunks: readonly Uint8Array[], most: number): Buffer {
  return Buffer.from(Buffer.concat(chunks).subarray(0, most));
}

/** The encodings that a header names, in lower case. */
export function encodingsIn(header = ''): string[] {
  const named = header.split(',').map((one) => one.trim().toLowerCase());
  return named.filter((one) => one !== '' && one !== 'identity');
}

type Pieces = AsyncIterator<Uint8Array, unknown>;
type Next = Promise<IteratorResult<Uint8Array, unknown>>;

/**
 * What the first piece of a body becomes. It is decoded to its end before anything is given away: not all encodings
 * begin with a mark, so that another text may become something before it is found to be broken.
 */
async function beginningOf(
  pieces: Pieces,
  source: HeldBody,
): Promise<{ first: readonly Uint8Array[]; next: Next }> {
  const first: Uint8Array[] = [];
  let bytes = 0;
  for (;;) {
    const next = pieces.next();
    // Whoever reads on is told.
    next.catch(() => undefined);
    const piece = await (first.length === 0 ? next : Promise.race([next, source.asksForMore]));
    if (piece === undefined || piece.done === true) return { first, next };
    first.push(piece.value);
    bytes += piece.value.byteLength;
    if (bytes > mostHeld) return { first, next: pieces.next() };
  }
}

async function* rest(
  first: readonly Uint8Array[],
  next: Next,
  pieces: Pieces,
  source: HeldBody,
  named: string,
): AsyncGenerator<Uint8Array> {
  try {
    yield* first;
    for (let one = await next; one.done !== true; one = await pieces.next()) yield one.value;
  } catch (error) {
    if (source.hasFailed) throw error;
    const why = error instanceof EncodingError ? error.message : t('It is corrupt.');
    throw new EncodingError(t('The body cannot be fully decoded ({0}). {1}', named, why), {
      cause: error,
    });
  } finally {
    const closed = Promise.resolve(pieces.return?.()).then(() => source.close());
    // Where a piece is waited for, that is closed once it has come, or the call ends.
    if (source.isWaiting) closed.catch(() => undefined);
    else await closed;
  }
}

/** A body whose beginning can be read again, as long as that may be needed. */
class HeldBody {
  readonly #pieces: Pieces;
  #held: Uint8Array[] | undefined = [];
  #heldBytes = 0;
  readonly #asked = Promise.withResolvers<undefined>();
  /** Resolves once the first piece was taken, and another one is asked for. */
  readonly asksForMore = this.#asked.promise;
  #asks = 0;
  /** Whether the body itself broke off. */
  hasFailed = false;
  /** Whether a piece is asked for that has not come. */
  isWaiting = false;

  constructor(body: AsyncIterable<Uint8Array>) {
    this.#pieces = body[Symbol.asyncIterator]();
  }

  /** What was not read yet. Whoever leaves early does not close the body. */
  async *pieces(): AsyncGenerator<Uint8Array> {
    for (;;) {
      if (this.#held !== undefined && this.#heldBytes > mostHeld)
        throw new EncodingError(t('It is corrupt.'));
      const next = await this.#next();
      if (next.done === true) return;
      this.#held?.push(next.value);
      this.#heldBytes += next.value.byteLength;
      yield next.value;
    }
  }

  /** Nothing needs to be read again. */
  letGo(): void {
    this.#held = undefined;
  }

  /** What was read, and the rest. */
  async *all(): AsyncGenerator<Uint8Array> {
    try {
      yield* this.#held ?? [];
      this.letGo();
      yield* this.pieces();
    } finally {
      await this.close();
    }
  }

  async close(): Promise<void> {
    await this.#pieces.return?.();
  }

  async #next(): Promise<IteratorResult<Uint8Array, unknown>> {
    this.#asks += 1;
    if (this.#asks === 2) this.#asked.resolve(undefined);
    this.isWaiting = true;
    try {
      return await this.#pieces.next();
    } catch (error) {
      this.hasFailed = true;
      throw error;
    } finally {
      this.isWaiting = false;
    }
  }
}
