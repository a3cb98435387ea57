import fc from 'fast-check';

const longest = 20_000;
const interesting = [0, 1, 9, 10, 13, 32, 34, 44, 46, 58, 92, 123, 125, 127, 128, 255];
const everywhere = [
  ...['\r\n', '\0', ',', '"', '{', '}', '[', ']', '%', '../'],
  ...['__proto__', '1e999', '-1', 'null', '\ud83d'],
];

/** One of the seeds, or the beginning of one and the end of another, changed in one to six places. */
export function mutated(seeds: readonly Buffer[], words: readonly string[]): fc.Arbitrary<Buffer> {
  const seed = fc.constantFrom(...seeds);
  const start = fc.oneof({ weight: 9, arbitrary: seed }, fc.tuple(seed, seed, place, place).map(joined));
  const changes = fc.array(fc.tuple(place, removed, put(words)), { minLength: 1, maxLength: 6 });
  return fc.tuple(start, changes).map(([bytes, all]) =>
    all
      .reduce((before, [at, length, bytesThere]) => {
        const from = Math.floor(at * before.length);
        return Buffer.concat([before.subarray(0, from), bytesThere, before.subarray(from + length)]);
      }, bytes)
      .subarray(0, longest),
  );
}

/** In an input, as a part of its length. */
const place = fc.double({ min: 0, max: 1, noNaN: true });

/** How many bytes a change takes away. */
const removed = fc.oneof(
  { weight: 4, arbitrary: fc.constant(0) },
  { weight: 4, arbitrary: fc.nat(12) },
  fc.nat(2000),
);

/** What a change puts in their place. */
function put(words: readonly string[]): fc.Arbitrary<Buffer> {
  const texts = fc.oneof(
    fc.constant(''),
    fc.constantFrom(...everywhere),
    fc.constantFrom(...everywhere, ...words),
    fc.integer({ min: -2 }).map(String),
  );
  const byte = fc.oneof(fc.constantFrom(...interesting), fc.nat(255));
  return fc.oneof(
    texts.map((text) => Buffer.from(text)),
    byte.map((one) => Buffer.of(one)),
    fc.tuple(fc.integer({ min: 1, max: 300 }), byte).map(([length, one]) => Buffer.alloc(length, one)),
  );
}

function joined([one, other, end, begin]: [Buffer, Buffer, number, number]): Buffer {
  return Buffer.concat([one.subarray(0, end * one.length), other.subarray(begin * other.length)]);
}
