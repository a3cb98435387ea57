import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { finished } from 'node:stream/promises';
import { LastLines } from '../../../../src/commandLine/suite/startedApp.ts';
import { SecretMask } from '../../../../src/shared/masking/secretMask.ts';

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

  it('have no half of the secret, over whichever lines and streams it is printed', async () => {
    const twoLines = 'first-line-of-it\nsecond-line-of-it';
    for (const whole of [secret, twoLines, twoLines.replace('\n', '\r\n')]) {
      const values = new SecretMask([whole]);
      for (let at = 6; at < whole.length - 6; at += 1) {
        const [one, two] = [whole.slice(0, at), whole.slice(at)];
        for (const [out, err] of [
          [`${one}\n${two}\n`, ''],
          [`a: ${one}\nb: ${two}\n`, ''],
          [`${one}\n`, `${two}\n`],
          [`12:00:01 INFO first ${one}\n12:00:02 INFO then ${two}\n`, ''],
        ] as const) {
          const last = new LastLines(values);
          const streams = [new PassThrough(), new PassThrough()];
          for (const stream of streams) last.follow(stream);
          streams[0]?.end(out);
          streams[1]?.end(err);
          await Promise.all(streams.map((stream) => finished(stream)));
          const told = last.lines.join('\n');
          // Each is split in two, so that one of them is a half or more.
          const halves = [one, two]
            .flatMap((part) => part.split(/[\r\n]+/))
            .filter(({ length }) => length * 2 >= whole.length);
          for (const half of halves) assert.ok(!told.includes(half), told);
        }
      }
    }
  });

  it('have no part of the secret that began before them', async () => {
    const noise = Array.from({ length: 19 }, () => '-\n');
    const told = await linesOf(`${secret.slice(0, 20)}\n`, `${secret.slice(20)}\n`, ...noise);
    assert.equal(told.length, 20);
    assert.ok(!told.join('').includes(secret.slice(20)), told[0]);
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
