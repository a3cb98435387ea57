import assert from 'node:assert/strict';
import fc from 'fast-check';
import { masked } from '../../../src/model/masking/masking.ts';
import { SecretMask } from '../../../src/model/masking/secretMask.ts';
import { cpuMs } from '../../support/time/cpuTime.ts';
import { secretEncodings } from '../../support/untrusted/secretEncodings.ts';

/** What may stand between the pieces of something that was split. */
const joints = [' ', '\n', '\r\n  ', '", "', "', '", '","b":"', '&b=', '; b=', '\nb: ', '\\n', '%20', ' | '];

/** So long that it is looked for anywhere, without what counts as a joint. */
const secrets = fc
  .oneof(
    fc.string({ minLength: 8, maxLength: 60 }),
    fc.string({ unit: 'grapheme', minLength: 8, maxLength: 30 }),
  )
  .filter((secret) => secret.replace(/[\s"',:;&=?{}[\]()<>|`\\]/g, '').length >= 8)
  // What looks like the name of a field is taken for one where it stands between pieces.
  .filter((secret) => !/[&;,?{(\n\0][\s"'\\]*[\w.[\]-]+[\s"'\\]*[:=]/.test(secret));

const tokens = fc.stringMatching(/^[\w.~+/-]{8,80}={0,2}$/);

const surroundings = fc
  .tuple(fc.string(), fc.string({ unit: 'binary' }))
  .map(([one, other]) => `${one}${other}`);

async function streamed(mask: SecretMask, text: string, length: number): Promise<string> {
  const bytes = Buffer.from(text);
  const pieces: Uint8Array[] = [];
  const source = (async function* () {
    for (let at = 0; at < bytes.length; at += length)
      yield await Promise.resolve(bytes.subarray(at, at + length));
  })();
  for await (const piece of mask.body(source)) pieces.push(piece);
  return Buffer.concat(pieces).toString();
}

/** Nothing of a written value is left between what stands around it, but for what says nothing. */
function assertTaken(text: string, before: string, written: string, after: string): void {
  assert.ok(text.startsWith(before) && text.endsWith(after), JSON.stringify(text));
  const left = text.slice(before.length, text.length - after.length);
  assert.ok(left.includes(masked), JSON.stringify({ written, left }));
  assert.ok(!left.includes(written));
}

describe('any secret in any text', () => {
  it('is taken out, in whatever way it is written, and the rest stays', () => {
    const writings = fc.constantFrom(...Object.entries(secretEncodings));
    fc.assert(
      fc.property(secrets, writings, surroundings, surroundings, (secret, [, write], one, other) => {
        fc.pre(!one.includes(secret) && !other.includes(secret));
        const [before, after] = [`${one} ~ `, ` ~ ${other}`];
        const written = write(secret);
        assertTaken(new SecretMask([secret]).text(before + written + after), before, written, after);
      }),
      { numRuns: 1000 },
    );
  });

  it('is taken out where it is split, wherever and by whatever', () => {
    const lengths = fc.array(fc.integer({ min: 1, max: 20 }), { minLength: 1 });
    fc.assert(
      fc.property(tokens, lengths, fc.constantFrom(...joints), (secret, cuts, joint) => {
        const characters = Array.from(secret.trim());
        const pieces = cuts
          .map((length) => characters.splice(0, length).join(''))
          .filter((piece) => piece !== '');
        const written = [...pieces, characters.join('')].filter((piece) => piece !== '').join(joint);
        const text = new SecretMask([secret]).text(`(${written})`);
        const left = text.replaceAll(masked, '').replaceAll(joint, '').replaceAll('b', '');
        assert.doesNotMatch(left, /[^\s"',:;&=?{}[\]()<>|`\\]{2}/, JSON.stringify({ written, text }));
      }),
      { numRuns: 1000 },
    );
  });

  it('is taken out of a body that comes in pieces', async () => {
    const writings = fc.constantFrom(...Object.entries(secretEncodings));
    await fc.assert(
      fc.asyncProperty(
        secrets,
        writings,
        fc.integer({ min: 1, max: 40 }),
        async (secret, [, write], length) => {
          const mask = new SecretMask([secret]);
          const written = write(secret);
          const text = await streamed(mask, `before ~ ${written} ~ after`, length);
          assert.ok(text.startsWith('before ~ ') && text.endsWith(' ~ after'), text);
          assert.ok(text.includes(masked) && !text.includes(written), text);
          // Less than tells it may have gone before the rest came.
          const [begun = ''] = text.slice('before ~ '.length).split(masked);
          assert.ok(begun.replaceAll(/%(25)?20|\\u0020|\s/g, '').length <= 24, text);
        },
      ),
      { numRuns: 300 },
    );
  });

  it('takes no longer than the text is long, however much of it is like a secret', () => {
    const mask = new SecretMask(['a'.repeat(4000), 'eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.e30.x']);
    for (const piece of [
      'a',
      '%',
      '%25',
      '\\',
      ',a',
      '&a=',
      '\n',
      '"',
      'a '.repeat(60),
      'eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.',
    ]) {
      const text = piece.repeat(400_000 / piece.length);
      const took = cpuMs(() => void mask.text(text));
      assert.ok(took < 4000, `${piece}: ${took} ms`);
    }
  });
});
