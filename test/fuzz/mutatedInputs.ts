import fc from 'fast-check';

const maxBytes = 20_000;
const edgeBytes = [0, 1, 9, 10, 13, 32, 34, 44, 46, 58, 92, 123, 125, 127, 128, 255];
const commonTokens = [
  ...['\r\n', '\0', ',', '"', '{', '}', '[', ']', '%', '..'],
  ...['__proto__', '1e999', '-1', 'null', '\ud83d'],
];

/** Mutates a seed, or the start of one seed and the end of another, in one to six positions. */
export function mutatedInputs(seeds: readonly Buffer[], words: readonly string[]): fc.Arbitrary<Buffer> {
  const seed = fc.constantFrom(...seeds);
  const start = fc.oneof(
    { weight: 9, arbitrary: seed },
    fc.tuple(seed, seed, position, position).map(splice),
  );
  const changes = fc.array(fc.tuple(position, deletedLength, inserted(words)), {
    minLength: 1,
    maxLength: 6,
  });
  return fc.tuple(start, changes).map(([bytes, all]) =>
    all
      .reduce((before, [at, length, bytesThere]) => {
        const from = Math.floor(at * before.length);
        return Buffer.concat([before.subarray(0, from), bytesThere, before.subarray(from + length)]);
      }, bytes)
      .subarray(0, maxBytes),
  );
}

/** A position in an input, relative to its length. */
const position = fc.double({ min: 0, max: 1, noNaN: true });

/** The number of bytes that a change deletes. */
const deletedLength = fc.oneof(
  { weight: 4, arbitrary: fc.constant(0) },
  { weight: 4, arbitrary: fc.nat(12) },
  fc.nat(2000),
);

/** The bytes that a change inserts. */
function inserted(words: readonly string[]): fc.Arbitrary<Buffer> {
  const texts = fc.oneof(
    fc.constant(''),
    fc.constantFrom(...commonTokens),
    fc.constantFrom(...commonTokens, ...words),
    fc.integer({ min: -2 }).map(String),
  );
  const byte = fc.oneof(fc.constantFrom(...edgeBytes), fc.nat(255));
  return fc.oneof(
    texts.map((text) => Buffer.from(text)),
    byte.map((one) => Buffer.of(one)),
    fc.tuple(fc.integer({ min: 1, max: 300 }), byte).map(([length, one]) => Buffer.alloc(length, one)),
  );
}

function splice([one, other, end, begin]: [Buffer, Buffer, number, number]): Buffer {
  return Buffer.concat([one.subarray(0, end * one.length), other.subarray(begin * other.length)]);
}
