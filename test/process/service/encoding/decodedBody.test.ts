import assert from 'node:assert/strict';
import * as zlib from 'node:zlib';
import fc from 'fast-check';
import { decodedBody, decodedStart } from '../../../../src/service/encoding/decodedBody.ts';
import { EncodingError } from '../../../../src/service/encoding/decoders.ts';
import '../../../support/random/seed.ts';

type Encode = (bytes: Uint8Array) => Buffer;

const encoders = new Map<string, Encode>([
  ['gzip', (bytes) => zlib.gzipSync(bytes)],
  ['x-gzip', (bytes) => zlib.gzipSync(bytes)],
  ['deflate', (bytes) => zlib.deflateSync(bytes)],
  ['Deflate', (bytes) => zlib.deflateRawSync(bytes)],
  ['br', (bytes) => zlib.brotliCompressSync(bytes, { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 4 } })],
  ['identity', (bytes) => Buffer.from(bytes)],
]);
if (typeof (zlib.zstdCompressSync as unknown) === 'function') {
  encoders.set('zstd', (bytes) => zlib.zstdCompressSync(bytes));
}

/** The head of gzip has room for a name, which never ends here. */
const endless = Buffer.concat([Buffer.from([0x1f, 0x8b, 8, 8, 0, 0, 0, 0, 0, 3]), Buffer.alloc(2 ** 20, 97)]);
const limits = { most: 1024 * 1024 };

async function* inPieces(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield await Promise.resolve(bytes.subarray(at, at + size));
}

async function read(bytes: Uint8Array, header: string | undefined, size = 1000, most = limits.most) {
  const { body, problem } = await decodedBody(inPieces(bytes, size), header, { most });
  const pieces: Uint8Array[] = [];
  for await (const piece of body) pieces.push(piece);
  return { bytes: Buffer.concat(pieces), problem };
}

describe('a body with an encoding', () => {
  const encoded = fc.record({
    bytes: fc.uint8Array({ maxLength: 3000 }),
    names: fc.array(fc.constantFrom(...encoders.keys()), { maxLength: 4 }),
    size: fc.integer({ min: 1, max: 5000 }),
  });

  it('is what it was before that, in whichever pieces it comes, and however often it was encoded', async () => {
    await fc.assert(
      fc.asyncProperty(encoded, async ({ bytes, names, size }) => {
        const sent = names.reduce((body: Uint8Array, name) => encoders.get(name)!(body), bytes);
        const { bytes: seen, problem } = await read(sent, names.join(' , '), size);
        assert.equal(problem, undefined);
        assert.deepEqual(seen, Buffer.from(bytes));
      }),
      { numRuns: 300 },
    );
  });

  it('is whatever came, byte for byte, where the header lies, and says so', async () => {
    for (const [bytes, header] of [
      [Buffer.from('{"a": 1}'), 'gzip'],
      [Buffer.from('{"a": 1}'), 'deflate'],
      [Buffer.from('{"a": 1}'), 'br'],
      [Buffer.from('{"a": 1}'), 'zstd'],
      [zlib.gzipSync('a'), 'br, gzip'],
      [zlib.gzipSync('a'), 'compress'],
      [zlib.gzipSync('a'), 'gzip, gzip, gzip, gzip, gzip'],
      [Buffer.concat([zlib.gzipSync('a').subarray(0, 9), Buffer.alloc(5000, 255)]), 'gzip'],
    ] as const) {
      const { bytes: seen, problem } = await read(bytes, header, 3000);
      assert.deepEqual(seen, Buffer.from(bytes), header);
      assert.match(problem ?? '', /^The body is shown as it came: /);
    }
    // The head of gzip has room for a name, which never ends.
    const endless = Buffer.concat([
      Buffer.from([0x1f, 0x8b, 8, 8, 0, 0, 0, 0, 0, 3]),
      Buffer.alloc(2 ** 20, 97),
    ]);
    assert.ok((await read(endless, 'gzip', 2 ** 14)).bytes.equals(endless));
  });

  it('is no more than its limit, for each encoding', async () => {
    const zeros = Buffer.alloc(4 * 1024 * 1024);
    for (const [name, encode] of encoders) {
      if (name === 'identity') continue;
      await assert.rejects(read(encode(zeros), name), EncodingError, name);
      // What is within becomes nothing, and what is around that becomes very much.
      const bomb = encode(endless);
      const seen = await read(bomb, `gzip, ${name}`, 1000, 1000);
      assert.ok(seen.bytes.equals(bomb), name);
      assert.ok(seen.problem !== undefined);
    }
  });

  it('fails where it breaks off or breaks, after what could be decoded', async () => {
    const whole = zlib.gzipSync(
      Buffer.from(Array.from({ length: 50_000 }, (_, at) => Math.imul(at, 2654435761) >>> 24)),
    );
    for (const broken of [whole.subarray(0, -20), Buffer.concat([whole.subarray(0, -9), Buffer.alloc(9)])]) {
      const { body } = await decodedBody(inPieces(broken, 1000), 'gzip', limits);
      let length = 0;
      await assert.rejects(async () => {
        for await (const piece of body) length += piece.length;
      }, /^EncodingError: The body cannot be fully decoded \(gzip\)\. It is corrupt\.$/);
      assert.ok(length > 0);
    }
  });

  it('fails as the body itself does, and closes that where nobody reads on', async () => {
    let isClosed = 0;
    async function* breaking(pieces: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
      try {
        for (const piece of pieces) yield await Promise.resolve(piece);
        throw new Error('reset');
      } finally {
        isClosed += 1;
      }
    }
    const whole = zlib.gzipSync(Buffer.alloc(300_000, 'abc'));
    await assert.rejects(decodedBody(breaking([whole.subarray(0, 5)]), 'gzip', limits), /^Error: reset$/);
    const { body } = await decodedBody(breaking([whole]), 'gzip', limits);
    await assert.rejects(async () => {
      for await (const piece of body) assert.ok(piece.length > 0);
    }, /^Error: reset$/);
    const left = await decodedBody(breaking([whole, whole]), 'gzip', limits);
    for await (const piece of left.body) {
      assert.ok(piece.length > 0);
      break;
    }
    assert.equal(isClosed, 3);
  });

  it('comes as soon as it is sent', async () => {
    const gzip = zlib.createGzip();
    const sent: Buffer[] = [];
    gzip.on('data', (piece: Buffer) => sent.push(piece));
    let turn = Promise.withResolvers<undefined>();
    async function* stream(): AsyncGenerator<Uint8Array> {
      for (const event of ['data: 1\n\n', 'data: 2\n\n']) {
        await new Promise<void>((resolve) => gzip.write(event, () => gzip.flush(() => resolve())));
        yield* sent.splice(0);
        await turn.promise;
        turn = Promise.withResolvers();
      }
    }
    const { body } = await decodedBody(stream(), 'gzip', limits);
    const seen: string[] = [];
    for await (const piece of body) {
      seen.push(Buffer.from(piece).toString());
      turn.resolve(undefined);
      if (seen.length === 2) break;
    }
    assert.deepEqual(seen, ['data: 1\n\n', 'data: 2\n\n']);
  });

  it('of which the beginning is kept is decoded as far as that goes', async () => {
    const text = Buffer.from(Array.from({ length: 100_000 }, (_, at) => `${at}`).join(' '));
    for (const [name, encode] of encoders) {
      if (name === 'identity') continue;
      const whole = encode(text);
      const all = await decodedStart(whole, name, { bytes: whole.length, most: 1000 });
      assert.deepEqual(all, { start: text.subarray(0, 1000), bytes: text.length }, name);
      for (const bytes of [undefined, whole.length]) {
        const { start, ...more } = await decodedStart(whole.subarray(0, -500), name, { bytes, most: 1000 });
        assert.ok(start.equals(text.subarray(0, 1000)), `${name} ${start.length}`);
        assert.deepEqual(more, {});
      }
    }
    const zeros = zlib.gzipSync(Buffer.alloc(80 * 1024 * 1024));
    const bomb = await decodedStart(zeros, 'gzip', { bytes: zeros.length, most: 1000 });
    assert.deepEqual([bomb.start.length, bomb.bytes], [1000, undefined]);
    assert.deepEqual(await decodedStart(text, undefined, { bytes: 7, most: 1 }), { start: text, bytes: 7 });
  });
});
