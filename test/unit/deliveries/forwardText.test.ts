import assert from 'node:assert/strict';
import type { Forward } from '../../../src/contract/delivery.ts';
import { readBundle } from '../../../scripts/l10n/bundles.ts';
import {
  attemptSentences,
  forwardLine,
  passedOnText,
  unlinked,
} from '../../../src/deliveries/forwardText.ts';
import { useBundle } from '../../../src/shared/text/l10n.ts';

const to = 'http://localhost:3000/hook';

function text(forward: Partial<Forward>, answered = 200): string {
  return forwardLine({ forward: { to, durationMs: 7, ...forward }, answered }).text;
}

describe('what became of handing a delivery on', () => {
  it('is the status and the time', () => {
    assert.equal(text({ status: 204 }), '→ localhost:3000 204 in 7 ms');
  });

  const reasons = [
    ['ECONNREFUSED', 'is not running'],
    ['ECONNRESET', 'disconnected'],
    ['ERR_ENDED', 'has ended'],
    ['ENOTFOUND', 'was not found'],
    ['EHOSTUNREACH', 'cannot be reached'],
    ['the listener ended before your app answered', 'did not respond (the listener stopped first)'],
    ['this address is that of the listener itself', 'is the listener itself'],
    ['a\u001b[31m\nb', 'did not respond (the connection failed)'],
  ] as const;
  for (const [error, words] of reasons) {
    it(`is said in words where there was no response: ${JSON.stringify(error)}`, () => {
      assert.equal(text({ error }), `→ localhost:3000 ${words}: kept, Replay`);
    });
  }

  // service-interface.md, section 6, "Retry behaviour".
  const answers = [
    [404, 'the service got 404 and tries up to 3 times'],
    [302, 'the service got 302 and tries up to 3 times'],
    [400, 'the service got 400 and does not try again'],
    [500, 'the service got 500 and does not try again'],
    [502, 'the service got 502 and does not try again'],
  ] as const;
  for (const [status, words] of answers) {
    it(`tells what the service does with a ${status} that was passed on`, () => {
      assert.equal(text({ status }, status), `→ localhost:3000 ${status} in 7 ms; ${words}: kept, Replay`);
      assert.equal(passedOnText({ forward: { to, durationMs: 7, status }, answered: status }), words);
    });
  }

  it('tells that the service sends again what got no answer', () => {
    const words = 'the service got no response and tries up to 3 times';
    assert.equal(
      text({ error: 'ECONNREFUSED' }, 0),
      `→ localhost:3000 is not running; ${words}: kept, Replay`,
    );
  });

  it('tells the same where the status is none that can be passed on', () => {
    const words = 'the service got no response and tries up to 3 times';
    for (const status of [99, 600]) {
      assert.equal(passedOnText({ forward: { to, durationMs: 7, status }, answered: 0 }), words);
    }
  });

  it('tells what would be lost in production, where the service got its 200 before', () => {
    const words = 'in production the service would not try again';
    for (const status of [400, 401, 422, 500, 503]) {
      assert.equal(text({ status }), `→ localhost:3000 ${status} in 7 ms; ${words}: kept, Replay`);
    }
    for (const forward of [{ status: 404 }, { status: 302 }, { error: 'ECONNREFUSED' }]) {
      assert.doesNotMatch(text(forward), /the service/, 'it would send it again');
    }
    const replayed = { to, durationMs: 7, status: 500, at: '', kind: 'replay' as const };
    assert.equal(passedOnText({ forward: replayed, answered: 200 }), undefined);
  });

  it('offers no replay of one that was edited, since that would send what was kept', () => {
    const edited = { to, durationMs: 7, status: 500, at: '', kind: 'edited' as const };
    assert.equal(text(edited), '→ localhost:3000 500 in 7 ms');
  });

  it('offers no replay where nothing can be clicked, in any language', () => {
    const failed = () => forwardLine({ forward: { to, durationMs: 7, status: 500 }, answered: 200 }, true);
    assert.equal(unlinked(failed()), '→ localhost:3000 500 in 7 ms: kept');
    useBundle(readBundle('de'));
    try {
      assert.match(unlinked(failed()), /: aufbewahrt$/);
    } finally {
      useBundle({});
    }
  });

  it('is said in sentences where a tooltip has room', () => {
    const said = (forward: Partial<Forward>, answered = 200) =>
      attemptSentences({ forward: { to, durationMs: 7, ...forward }, answered });
    assert.equal(said({ status: 204 }), 'Your handler at localhost:3000 returned 204 in 7 ms.');
    assert.equal(
      said({ status: 404 }, 404),
      'Your handler at localhost:3000 returned 404 in 7 ms. The service got 404 and tries up to 3 times.',
    );
    assert.equal(said({ error: 'ECONNREFUSED' }), 'Your handler at localhost:3000 is not running.');
  });

  it('is said in whole sentences in Japanese, too', () => {
    useBundle(readBundle('ja'));
    try {
      for (const [error] of reasons) {
        const said = attemptSentences({ forward: { to, durationMs: 7, error }, answered: 200 });
        assert.match(said, /^localhost:3000 のハンドラー.*(?:です|ます|した|せん)(?: \(.*\))?。$/);
      }
    } finally {
      useBundle({});
    }
  });

  it('tells nothing of the service where its answer is not known yet', () => {
    assert.doesNotMatch(text({ status: 404 }, 0), /the service/);
  });
});
