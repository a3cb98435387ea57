import assert from 'node:assert/strict';
import fc from 'fast-check';
import { differingDigits, type SignedBlock } from '../../../../src/service/explanation/explanationPicture.ts';
import { thorough } from '../../../../src/service/diagnosis/causeSearch.ts';
import type { Evidence } from '../../../../src/service/diagnosis/diagnosis.ts';
import { explain } from '../../../../src/service/explanation/explanation.ts';
import { defaultSecret } from '../../../support/listener/defaultSecret.ts';
import { body, clock, delivery, requestId, secret } from '../../../support/webhooks/signedDelivery.ts';

const forever = thorough(() => true);
const explained = (evidence: Evidence) => explain({ ...evidence, effort: forever });
const pictureOf = (evidence: Evidence) => explained(evidence).picture;

/** What a block shows, as bytes. */
function bytesIn(block: SignedBlock, which: 'start' | 'end' = 'start'): Buffer {
  const text = block[which].map((run) => run.text).join('');
  if (block.as === 'hex') return Buffer.from(text.replaceAll(' ', ''), 'hex');
  return Buffer.from(text, block.part === 'body' ? 'utf8' : 'latin1');
}

/** A delivery with bytes that need not be a text. */
function withBody(body: Uint8Array): Evidence {
  return { ...delivery({}), body };
}

const bodyOf = (evidence: Evidence) => pictureOf(evidence).blocks[2]!;
const trialOf = (evidence: Evidence, label: RegExp) =>
  pictureOf(evidence).trials.find((one) => label.test(one.label))?.result;

describe('the picture of an explanation', () => {
  it('has blocks which, joined with dots, are the bytes that were signed', () => {
    const bodies = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 400 }).map((text) => Buffer.from(text)),
      fc.uint8Array({ maxLength: 400 }),
      fc
        .string({ unit: fc.constantFrom(' ', '\t', '\n', '\r', 'a', '\u202e', '"'), maxLength: 60 })
        .map((text) => Buffer.from(text)),
    );
    fc.assert(
      fc.property(bodies, (body) => {
        const { blocks } = pictureOf(withBody(body));
        const parts = blocks.flatMap((block, at) => [...(at > 0 ? [Buffer.from('.')] : []), bytesIn(block)]);
        const signed = Buffer.concat([Buffer.from(`${requestId}.${clock}.`), body]);
        assert.deepEqual(Buffer.concat(parts), signed);
      }),
      { numRuns: 60 },
    );
  });

  it('leaves out the middle of a large body, and says how many bytes: characters stay whole', () => {
    const large = fc
      .tuple(fc.constantFrom('x', 'é', '€', '😀', '\xff'), fc.integer({ min: 2049, max: 9000 }), fc.boolean())
      .map(([unit, length, isText]) => Buffer.from(`a${unit.repeat(length)}`, isText ? 'utf8' : 'latin1'));
    fc.assert(
      fc.property(large, (body) => {
        const block = bodyOf(withBody(body));
        const [start, end] = [bytesIn(block), bytesIn(block, 'end')];
        assert.equal(start.length + block.omitted + end.length, body.length);
        assert.deepEqual(start, body.subarray(0, start.length));
        assert.deepEqual(end, body.subarray(body.length - end.length));
        assert.ok(end.length >= 500 && start.length + end.length <= 2052);
      }),
      { numRuns: 30 },
    );
  });

  it('marks white space, line ends and what would not be seen', () => {
    const { start } = bodyOf(delivery({ body: 'a  b\tc\r\nd\u202e\n' }));
    assert.deepEqual(
      start.map(({ kind, text, mark }) => [kind, mark ?? text]),
      [
        ['text', 'a'],
        ['space', '··'],
        ['text', 'b'],
        ['space', '→'],
        ['text', 'c'],
        ['lineEnd', 'CR⏎'],
        ['text', 'd'],
        ['control', '\\u{202e}'],
        ['lineEnd', '⏎'],
      ],
    );
  });

  it('shows bytes that are no text as hexadecimal digits', () => {
    const { as, start } = bodyOf(withBody(Buffer.from([0xff, 0x00, 0x41])));
    assert.equal(as, 'hex');
    assert.deepEqual(start, [{ kind: 'text', text: 'ff 00 41' }]);
  });

  it('holds no secret, at the end of a cut body neither', () => {
    const held = 'kF3-x9/ü_Qm7zT+pe';
    const holding = (body: Buffer) => {
      const picture = pictureOf({ ...withBody(body), secrets: [defaultSecret(secret), defaultSecret(held)] });
      const shown = Buffer.concat(picture.blocks.flatMap((one) => [bytesIn(one), bytesIn(one, 'end')]));
      return shown.toString('latin1');
    };
    const filler = 'x'.repeat(3000);
    const texts = [held, `${filler}${held}`, `${held}${filler}`, `${filler}${held}${'y'.repeat(505)}`];
    for (const text of texts) assert.doesNotMatch(holding(Buffer.from(text)), /kF3|m7zT/);
    for (const text of texts) {
      assert.doesNotMatch(holding(Buffer.concat([Buffer.from([0xff]), Buffer.from(text)])), /kF3|m7zT/);
    }
  });

  it('tells the digits that differ', () => {
    assert.deepEqual(differingDigits('abcd', 'abxd'), [false, false, true, false]);
    assert.deepEqual(differingDigits('ab', 'a'), [false, true]);
    const { received } = pictureOf(delivery({ key: `${secret}\n` })).signatures!;
    const { signatures } = explained(delivery({ key: `${secret}\n` }));
    assert.ok(differingDigits(signatures!.expected, received!).some(Boolean));
  });

  it('shows both signatures of a right one, which are equal, and nothing that was tried', () => {
    const { kind, signatures, trials } = pictureOf(delivery({}));
    assert.equal(kind, 'right');
    assert.ok(signatures?.expected !== undefined);
    assert.equal(signatures.expected, signatures.received);
    assert.deepEqual(trials, []);
  });

  it('says of each cause what came of it', () => {
    const withNewline = delivery({ key: `${secret}\n` });
    assert.equal(trialOf(withNewline, /around the secret/), 'fits');
    assert.equal(trialOf(withNewline, /JSON of the body/), 'skipped');
    const other = delivery({ key: 'a key of their own' });
    assert.equal(trialOf(other, /around the secret/), 'no');
    assert.equal(trialOf(other, /newline at its end/), 'no');
    assert.equal(trialOf(other, /line endings/), 'absent');
    assert.equal(trialOf(delivery({ prefix: '' }), /signature header/), 'fits');
  });

  it('says what was not tried, where the effort ended before', () => {
    const { trials } = explain({
      ...delivery({ key: 'a key of their own' }),
      effort: { ...forever, bytes: 1 },
    }).picture;
    assert.equal(
      trials.some(({ result }) => result === 'absent' || result === 'fits'),
      false,
    );
  });

  it('has nothing but the reason where nothing was signed', () => {
    const { kind, blocks, signatures, reasons } = pictureOf({ ...delivery({}), headers: {} });
    assert.equal(kind, 'unchecked');
    assert.deepEqual([blocks, signatures], [[], undefined]);
    assert.match(reasons.join(), /No signature header/);
  });
});

describe('the explanation of a run that Runhook gave its secret', () => {
  const reasonsOf = (evidence: Evidence) => pictureOf({ ...evidence, isGiven: true }).reasons.join(' ');

  it("does not blame the caller's secret", () => {
    const blame = /caller/;
    const changed = delivery({ key: `${secret}\n` });
    assert.match(pictureOf(changed).reasons.join(), blame);
    assert.doesNotMatch(reasonsOf(changed), blame);
    assert.match(reasonsOf(changed), /^Other form of secret: .* as Runhook sent/);
    assert.equal(reasonsOf(delivery({ key: 'a key of their own' })), 'Secret or body differs.');
  });

  it('goes on to name what happened on the way', () => {
    assert.match(reasonsOf(delivery({}, { body: `${body}\n` })), /Newline after body/);
  });

  it('says to run again what was signed with a secret from before', () => {
    const evidence = delivery({ key: 'before' }, {}, [
      defaultSecret(secret),
      defaultSecret('before', clock * 1000 - 1),
    ]);
    assert.match(reasonsOf(evidence), /^Earlier secret of the run: run again/);
  });
});
