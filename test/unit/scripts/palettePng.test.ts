import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { crc32, deflateSync, inflateSync } from 'node:zlib';
import { root } from '../../../scripts/checkout.ts';
import { palettePng } from '../../../scripts/tour/palettePng.ts';

function chunk(type: string, content: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type), content]);
  const numbers = Buffer.alloc(8);
  numbers.writeUInt32BE(content.length, 0);
  numbers.writeUInt32BE(crc32(named), 4);
  return Buffer.concat([numbers.subarray(0, 4), named, numbers.subarray(4)]);
}

/** A picture of one row, in red, green and blue. */
function pictureOf(colours: number[][]): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(colours.length, 0);
  header.writeUInt32BE(1, 4);
  header.set([8, 2, 0, 0, 0], 8);
  const row = Buffer.from([0, ...colours.flat()]);
  return Buffer.concat([
    Buffer.alloc(8),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(row)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** The colours of the only row of a picture with a palette. */
function coloursOf(png: Buffer): number[][] {
  const content = (type: string) => {
    const at = png.indexOf(type);
    return png.subarray(at + 4, at + 4 + png.readUInt32BE(at - 4));
  };
  const palette = content('PLTE');
  return [...inflateSync(content('IDAT')).subarray(1)].map((place) => [
    ...palette.subarray(3 * place, 3 * place + 3),
  ]);
}

function sizeOf(png: Buffer): { width: number; height: number } {
  return { width: png.readUInt32BE(16), height: png.readUInt32BE(20) };
}

describe('a picture with a palette', () => {
  it('has the colours that it had, where they are few', () => {
    const colours = [
      [1, 2, 3],
      [255, 0, 0],
      [1, 2, 3],
      [0, 0, 255],
    ];
    assert.deepEqual(coloursOf(palettePng(pictureOf(colours))), colours);
  });

  it('has colours near those that it had, where they are many', () => {
    const colours = Array.from({ length: 700 }, (_, at) =>
      [at % 256, at % 256, (at % 256) + (at > 255 ? -(at % 7) : 0)].map((one) => Math.max(0, one)),
    );
    coloursOf(palettePng(pictureOf(colours))).forEach((colour, at) => {
      colour.forEach((value, channel) => assert.ok(Math.abs(value - colours[at]![channel]!) <= 12));
    });
  });

  it('is not made of a picture of one colour, as a page is that was not painted', () => {
    assert.throws(
      () => palettePng(pictureOf(Array.from({ length: 9 }, () => [255, 255, 255]))),
      /one colour/,
    );
  });

  it('has a size that can be, as each screenshot of the documents has', () => {
    for (const file of globSync('media/screenshots/*.png', { cwd: root })) {
      const png = readFileSync(join(root, file));
      const { width, height } = sizeOf(png);
      assert.ok(width >= 200 && height >= 100, `${file}: ${width} × ${height}`);
      // One with nothing on it takes a thousandth of a byte for a pixel.
      const bytes = png.length / (width * height);
      assert.ok(bytes > 0.01, `${file}: ${bytes.toFixed(4)} bytes for a pixel`);
    }
  });
});
