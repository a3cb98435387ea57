import type { Random } from '../support/random.ts';

const longest = 20_000;
const interesting = [0, 1, 9, 10, 13, 32, 34, 44, 46, 58, 92, 123, 125, 127, 128, 255];
const everywhere = [
  '\r\n',
  '\0',
  ',',
  '"',
  '{',
  '}',
  '[',
  ']',
  '__proto__',
  '1e999',
  '-1',
  'null',
  '\ud83d',
  '%',
  '../',
];

/** One of the seeds, or two joined, changed in one to six places. */
export function mutate(seeds: readonly Buffer[], words: readonly string[], random: Random): Buffer {
  let bytes: Buffer = random.of(seeds);
  if (random.next() < 0.1) {
    const other = random.of(seeds);
    bytes = Buffer.concat([bytes.subarray(0, place(bytes, random)), other.subarray(place(other, random))]);
  }
  for (let changes = random.whole(1, 7); changes > 0; changes -= 1) bytes = change(bytes, words, random);
  return bytes.subarray(0, longest);
}

function place(bytes: Buffer, random: Random): number {
  return random.whole(0, bytes.length + 1);
}

function change(bytes: Buffer, words: readonly string[], random: Random): Buffer {
  const at = place(bytes, random);
  const end = Math.min(bytes.length, at + random.whole(0, random.next() < 0.1 ? 2000 : 12));
  switch (random.whole(0, 8)) {
    case 0:
      return splice(bytes, at, end, Buffer.alloc(0));
    case 1:
      return splice(bytes, at, at, bytes.subarray(at, end));
    case 2:
      return splice(bytes, at, end, Buffer.of(random.of(interesting)));
    case 3:
      return splice(bytes, at, at, Buffer.from(random.of(everywhere)));
    case 4:
      return splice(bytes, at, end, Buffer.from(words.length > 0 ? random.of(words) : random.of(everywhere)));
    case 5:
      return splice(bytes, at, at, Buffer.alloc(random.whole(1, 300), random.of(interesting)));
    case 6:
      return splice(bytes, at, end, Buffer.from(String(random.whole(-2, 2 ** 31))));
    default:
      return splice(bytes, at, at + 1, Buffer.of((bytes[at] ?? 0) ^ (1 << random.whole(0, 8))));
  }
}

function splice(bytes: Buffer, from: number, to: number, put: Buffer): Buffer {
  return Buffer.concat([bytes.subarray(0, from), put, bytes.subarray(to)]);
}
