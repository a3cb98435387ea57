import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { finished } from 'node:stream/promises';
import { LastLines } from '../../../../src/commandLine/suite/lastLines.ts';
import { SecretMask } from '../../../../src/model/masking/secretMask.ts';

const secret = 'whsec-of-the-test-0123456789';

async function linesOf(...pieces: string[]): Promise<readonly string[]> {
  const last = new LastLines(new SecretMask([secret]));
  const stream = new PassThrough();
  last.follow(stream);
  for (const piece of pieces) stream.write(piece);
  stream.end();
  await finished(stream);
  return last.lines;
}

describe('the last lines of an app', () => {
  it('are those that it prints, however they come and end', async () => {
    assert.deepEqual(await linesOf('a\nb', 'c\r', '\nd\re\n', '\n', '\u00e4\x1b[31m', 'end'), [
      'a',
      'bc',
      'd',
      'e',
      'ä·[31mend',
    ]);
    assert.deepEqual(await linesOf(), []);
  });

  it('are twenty, of 500 characters at most', async () => {
    const many = Array.from({ length: 30 }, (_, at) => `${at}\n`);
    assert.deepEqual(
      await linesOf(...many),
      many.slice(-20).map((line) => line.trim()),
    );
    const [long, next] = await linesOf(...Array.from({ length: 100 }, () => 'x'.repeat(9999)), '\nnext');
    assert.deepEqual([long, next], ['x'.repeat(500), 'next']);
  });

  it('have no part of the secret, wherever they are cut off', async () => {
    for (let at = 440; at < 520; at += 1) {
      const line = `${'.'.repeat(at)}${secret}${'.'.repeat(700)}`;
      for (const pieces of [[line], [line.slice(0, at + 9), line.slice(at + 9)]]) {
        const [told = ''] = await linesOf(...pieces);
        assert.ok(!told.includes(secret.slice(0, 3)), told.slice(430));
      }
    }
  });
});
