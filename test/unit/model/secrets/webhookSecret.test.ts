import assert from 'node:assert/strict';
import { secretProblem, unsendableReason } from '../../../../src/model/secrets/webhookSecret.ts';
import { signatureCases } from '../../../support/deliveries/signatureCases.ts';

describe('a webhook secret', () => {
  it('can be whatever the vectors of other implementations are signed with', () => {
    const secrets = new Set(signatureCases.map(({ heldSecret }) => heldSecret).filter((one) => one !== ''));
    assert.ok(secrets.has('sécrèt-✓'));
    for (const secret of secrets) {
      assert.equal(secretProblem(secret), undefined, secret);
      assert.equal(unsendableReason(secret), undefined, secret);
    }
  });

  it('cannot be empty, half a character, or longer than any header', () => {
    assert.match(secretProblem('') ?? '', /is empty/);
    assert.match(secretProblem(' \n\t') ?? '', /is empty/);
    assert.match(secretProblem('a\ud83d') ?? '', /half a character/);
    assert.match(secretProblem('x'.repeat(4097)) ?? '', /longer than 4096 characters/);
    assert.equal(secretProblem('😀'.repeat(2048)), undefined);
  });

  it('can be what no header carries, and then no run sends it', () => {
    for (const [secret, reason] of [
      ['a\n', /line break/],
      ['a\u0000b', /control character/],
      ['a\u007f', /control character/],
      [' a', /white space/],
      ['a\t', /white space/],
    ] as const) {
      assert.equal(secretProblem(secret), undefined);
      assert.match(unsendableReason(secret) ?? '', reason);
    }
    // A tab within, and whatever is beyond ASCII, is no harm to a header of UTF-8 bytes.
    for (const secret of ['a\tb', 'a b', '\u00a0a', 'ü', '→']) {
      assert.equal(unsendableReason(secret), undefined, secret);
    }
  });
});
