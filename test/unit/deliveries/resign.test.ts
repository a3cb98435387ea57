import assert from 'node:assert/strict';
import { toDelivery } from '../../../src/deliveries/keptDelivery.ts';
import { resign } from '../../../src/deliveries/replay.ts';
import { resigningSecret } from '../../../src/deliveries/resigningSecret.ts';
import type { HeldSecret } from '../../../src/service/signature/webhookSecret.ts';
import { sign, verify } from '../../../src/service/signature/signature.ts';

describe('a delivery that is signed anew', () => {
  const now = 1_790_000_000;
  const body = Buffer.from('{}');
  const rows: [what: string, headers: string[]][] = [
    ['has the request id that it came with', ['X-Request-Id', 'a']],
    ['gets one where it came without', []],
    ['gets one where it came with an empty one', ['X-Request-Id', ' ']],
    [
      'came with the same name twice, which a receiver reads as one',
      ['X-Request-Id', 'a', 'x-request-id', 'b '],
    ],
  ];
  for (const [what, headers] of rows) {
    it(`verifies: ${what}`, () => {
      const signed = resign(headers, body, 'secret', now * 1000);
      const asReceived = signed.map((part) => part.trim());
      assert.equal(verify(asReceived, body, ['secret'], now, 300).verdict, 'verified');
    });
  }

  it('has the vendor and the time of the signature that verified, whatever headers stand beside it', () => {
    const time = `${now - 5}`;
    const own = [
      ...['X-Request-Id', 'r-1', 'X-Service-Webhook-Timestamp', time],
      ...['X-Service-Webhook-Signature', `v1,${sign('secret', 'r-1', time, body)}`],
    ];
    const strange = [
      ['X-Evil-Webhook-Timestamp', '1'],
      ['X-Evil-Webhook-Signature', 'v1,00'],
      ['x-evil-webhook-timestamp', '1', 'x-evil-webhook-signature', ''],
      ['X-Evil-Webhook-Timestamp', '', 'X-Evil-Webhook-Signature', `v1,${'0'.repeat(64)}`],
      ['X-Evil-Webhook-Signature-Webhook-Timestamp', '1'],
    ];
    for (const beside of strange) {
      for (const rawHeaders of [
        [...beside, ...own],
        [...own, ...beside],
      ]) {
        assert.equal(verify(rawHeaders, body, ['secret'], now, 300).verdict, 'verified', String(beside));
        const signed = resign(rawHeaders, body, 'secret', now * 1000);
        const names = signed.filter((name) => /-webhook-(signature|timestamp)$/i.test(name));
        assert.deepEqual(names, ['X-Service-Webhook-Timestamp', 'X-Service-Webhook-Signature']);
        const kept = { id: 'd-1', receivedAt: 0, verdict: 'verified', standing: 'verified' } as const;
        const request = { answered: 200, method: 'POST', path: '/', rawHeaders, body };
        const { sentAt } = toDelivery({ ...kept, ...request }, { bytes: 0 });
        assert.equal(sentAt, new Date((now - 5) * 1000).toISOString());
      }
    }
  });

  it('has the current secret of its app, where that of its signature was for a single run', () => {
    const ofApp = { projectId: 'p', name: 'echo' };
    const rawHeaders = resign([], body, 'once', now * 1000);
    const once: HeldSecret = { secret: 'once', owner: { kind: 'once', ...ofApp }, until: Infinity };
    const current: HeldSecret[] = [
      { secret: 'of the app', owner: { kind: 'app', ...ofApp } },
      { secret: 'of the project', owner: { kind: 'project', projectId: 'p', name: 'Pictures' } },
      { secret: 'the default one', owner: { kind: 'default' } },
      { secret: 'of another app', owner: { kind: 'app', projectId: 'p', name: 'other' } },
    ];
    const secrets = [0, 1, 2, 3].map((from) =>
      resigningSecret({ headers: rawHeaders, body }, [once, ...current.slice(from)]),
    );
    assert.deepEqual(secrets, ['of the app', 'of the project', 'the default one', 'once']);
  });

  it('has the secret that its app has got since, and that of its project or the default one where that is gone', () => {
    const theDefault: HeldSecret = { secret: 'default', owner: { kind: 'default' } };
    const own: HeldSecret = { secret: 'own', owner: { kind: 'app', projectId: 'p', name: 'echo' } };
    const ofProject: HeldSecret = {
      secret: 'project',
      owner: { kind: 'project', projectId: 'p', name: 'P' },
    };
    const elsewhere: HeldSecret = {
      ...own,
      secret: 'other',
      owner: { ...own.owner, projectId: 'q' } as never,
    };
    const signedWith = ({ secret }: HeldSecret, held: HeldSecret[], appName = 'echo') =>
      resigningSecret({ headers: resign([], body, secret, now * 1000), body, appName }, held);
    assert.equal(signedWith(theDefault, [theDefault, own]), 'own');
    assert.equal(signedWith(theDefault, [theDefault, own], 'hello'), 'default');
    assert.equal(signedWith(ofProject, [theDefault, elsewhere, ofProject, own]), 'own');
    // Whose of two it is, is not known.
    assert.equal(signedWith(theDefault, [theDefault, own, elsewhere]), 'default');
    const gone = { ...own, until: now };
    assert.equal(signedWith(own, [theDefault, ofProject, gone]), 'project');
    assert.equal(signedWith(own, [theDefault, gone]), 'default');
    assert.equal(signedWith(own, [gone]), 'own');
  });
});
