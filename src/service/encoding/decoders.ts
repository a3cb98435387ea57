import type { Transform } from 'node:stream';
import * as zlib from 'node:zlib';
import { t } from '../../shared/text/l10n.ts';
import { UserError } from '../../shared/text/userError.ts';

export interface DecodingLimits {
  /** How many bytes each encoding may become; where it becomes more, the body ends with an EncodingError. */
  most: number;
  /** Whether the body is the beginning of a longer one. */
  isCut?: boolean;
}

/** A body cannot be decoded any further: it is broken, or becomes too long. */
export class EncodingError extends UserError {
  override readonly name = 'EncodingError';
}

/** The window that RFC 8878 asks for, in bits: a larger one takes as much memory. */
const zstdWindow = 23;

type MakeDecoder = (isCut: boolean, first: number) => Transform;

const gunzip: MakeDecoder = (isCut) => zlib.createGunzip(inflating(isCut));

/** It is zlib's format (RFC 9110, section 8.4.1.2), and many send what is within that alone. */
const inflate: MakeDecoder = (isCut, first) =>
  (first & 0x0f) === 8 ? zlib.createInflate(inflating(isCut)) : zlib.createInflateRaw(inflating(isCut));

const brotli: MakeDecoder = (isCut) =>
  zlib.createBrotliDecompress(isCut ? { finishFlush: zlib.constants.BROTLI_OPERATION_FLUSH } : {});

const zstd: MakeDecoder = (isCut) =>
  zlib.createZstdDecompress({
    params: { [zlib.constants.ZSTD_d_windowLogMax]: zstdWindow },
    ...(isCut && { finishFlush: zlib.constants.ZSTD_e_flush }),
  });

function inflating(isCut: boolean): zlib.ZlibOptions {
  return isCut ? { finishFlush: zlib.constants.Z_SYNC_FLUSH } : {};
}

const decoders = new Map<string, MakeDecoder>([
  ['gzip', gunzip],
  ['x-gzip', gunzip],
  ['deflate', inflate],
  ['br', brotli],
]);
// Node has it since 22.15.
if (typeof (zlib.createZstdDecompress as unknown) === 'function') decoders.set('zstd', zstd);

/** Whether a body with that encoding can be decoded. */
export function isKnown(encoding: string): boolean {
  return decoders.has(encoding);
}

/** Undoes one encoding. Nothing is read ahead: whoever leaves early leaves the body, too. */
export async function* decode(
  body: AsyncIterable<Uint8Array>,
  encoding: string,
  { most, isCut = false }: DecodingLimits,
): AsyncGenerator<Uint8Array> {
  let output: Output | undefined;
  let bytes = 0;
  const counted = (piece: Uint8Array): Uint8Array => {
    bytes += piece.byteLength;
    // guard S87: The decoded length has a limit, for each encoding.
    if (bytes <= most) return piece;
    throw new EncodingError(t('Decoded, it is larger than {0} MiB.', Math.floor(most / 1024 / 1024)));
  };
  try {
    for await (const piece of body) {
      if (piece.byteLength === 0) continue;
      output ??= outputOf(encoding, isCut, piece);
      for await (const decoded of output.of(piece)) yield counted(decoded);
      // What follows the end of the encoded body does not belong to it.
      if (output.hasEnded) return;
    }
    // Answers without a body say what encoding it would have.
    if (output !== undefined) for await (const decoded of output.last()) yield counted(decoded);
  } finally {
    output?.close();
  }
}

function outputOf(encoding: string, isCut: boolean, [first = 0]: Uint8Array): Output {
  const make = decoders.get(encoding);
  if (make === undefined) throw new EncodingError(encoding);
  return new Output(make(isCut, first));
}

/** What comes out of a decoder for what is put in. */
class Output {
  readonly #decoder: Transform;
  #failure: Error | undefined;
  #wake = (): void => undefined;

  constructor(decoder: Transform) {
    this.#decoder = decoder;
    const changed = (): void => this.#wake();
    decoder
      .on('readable', changed)
      .on('end', changed)
      .on('error', (error) => {
        this.#failure = error;
        changed();
      });
  }

  get hasEnded(): boolean {
    return this.#decoder.readableEnded;
  }

  async *of(piece: Uint8Array): AsyncGenerator<Uint8Array> {
    let isTaken = false;
    this.#decoder.write(piece, () => {
      isTaken = true;
      this.#wake();
    });
    yield* this.#until(() => isTaken);
  }

  /** What comes once nothing more is put in. */
  async *last(): AsyncGenerator<Uint8Array> {
    this.#decoder.end();
    yield* this.#until(() => false);
  }

  close(): void {
    this.#decoder.destroy();
  }

  async *#until(isOver: () => boolean): AsyncGenerator<Uint8Array> {
    for (;;) {
      const piece = this.#decoder.read() as Uint8Array | null;
      if (piece !== null) {
        yield piece;
        continue;
      }
      if (this.#failure !== undefined) throw this.#failure;
      if (isOver() || this.hasEnded) return;
      await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }
}
