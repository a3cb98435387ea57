import { crc32, deflateSync, inflateSync } from 'node:zlib';

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
/** What a picture of an editor needs; half of them the most frequent ones, half what is farthest from these. */
const mostColours = 64;

/**
 * The same picture with at most 64 colours: nobody sees the difference, and it takes a third of the room.
 * @param png with 8 bits each of red, green and blue, as Chromium takes it
 */
export function palettePng(png: Buffer): Buffer {
  const { width, height, pixels } = decoded(png);
  const counts = new Map<number, number>();
  for (const colour of pixels) counts.set(colour, (counts.get(colour) ?? 0) + 1);
  const places = placesOf(counts);
  const rows = Buffer.alloc(height * (width + 1));
  pixels.forEach((colour, at) => {
    const [row, column] = [Math.floor(at / width), at % width];
    rows[row * (width + 1) + 1 + column] = places.places.get(colour) ?? 0;
  });
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 3, 0, 0, 0], 8);
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('PLTE', Buffer.from(places.palette.flatMap(channels))),
    chunk('IDAT', deflateSync(rows, { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** The palette, and of each colour the place of the one in it that is nearest. */
function placesOf(counts: ReadonlyMap<number, number>): { palette: number[]; places: Map<number, number> } {
  const byCount = [...counts].sort((a, b) => b[1] - a[1]).map(([colour]) => colour);
  const palette = byCount.slice(0, mostColours / 2);
  const nearest = new Map(byCount.map((colour) => [colour, { place: 0, far: Number.POSITIVE_INFINITY }]));
  const join = (added: number, place: number): void => {
    for (const [colour, best] of nearest) {
      const far = distance(colour, added);
      if (far < best.far) Object.assign(best, { place, far });
    }
  };
  palette.forEach(join);
  while (palette.length < mostColours) {
    const [farthest, { far }] = [...nearest].reduce((a, b) => (b[1].far > a[1].far ? b : a));
    if (far === 0) break;
    palette.push(farthest);
    join(farthest, palette.length - 1);
  }
  return { palette, places: new Map([...nearest].map(([colour, { place }]) => [colour, place])) };
}

function channels(colour: number): [number, number, number] {
  return [colour >> 16, (colour >> 8) & 0xff, colour & 0xff];
}

function distance(one: number, other: number): number {
  const [a, b] = [channels(one), channels(other)];
  return (a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2 + (a[2] - b[2]) ** 2;
}

function decoded(png: Buffer): { width: number; height: number; pixels: Uint32Array } {
  const data: Buffer[] = [];
  let header = Buffer.alloc(13);
  for (let at = signature.length; at < png.length;) {
    const length = png.readUInt32BE(at);
    const type = png.toString('latin1', at + 4, at + 8);
    const content = png.subarray(at + 8, at + 8 + length);
    if (type === 'IHDR') header = Buffer.from(content);
    if (type === 'IDAT') data.push(content);
    at += length + 12;
  }
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)];
  if (header.toString('hex', 8) !== '0802000000')
    throw new Error('The picture is not one of red, green and blue.');
  const bytes = unfiltered(inflateSync(Buffer.concat(data)), 3 * width, height);
  const pixels = Uint32Array.from({ length: width * height }, (_, at) => bytes.readUIntBE(3 * at, 3));
  return { width, height, pixels };
}

/** The rows as they were before they were made easier to compress (PNG, section 9). */
function unfiltered(data: Buffer, length: number, height: number): Buffer {
  const all = Buffer.alloc(length * height);
  for (let row = 0; row < height; row += 1) {
    const filter = data[row * (length + 1)];
    for (let column = 0; column < length; column += 1) {
      const at = row * length + column;
      const left = column >= 3 ? (all[at - 3] ?? 0) : 0;
      const up = all[at - length] ?? 0;
      const corner = column >= 3 ? (all[at - length - 3] ?? 0) : 0;
      const guess = [0, left, up, (left + up) >> 1, paeth(left, up, corner)][filter ?? 0] ?? 0;
      all[at] = (data[row * (length + 1) + 1 + column] ?? 0) + guess;
    }
  }
  return all;
}

function paeth(left: number, up: number, corner: number): number {
  const guess = left + up - corner;
  const far = [left, up, corner].map((one) => Math.abs(guess - one)) as [number, number, number];
  if (far[0] <= far[1] && far[0] <= far[2]) return left;
  return far[1] <= far[2] ? up : corner;
}

function chunk(type: string, content: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), content]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(content.length);
  sum.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, sum]);
}
