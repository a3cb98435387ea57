import assert from 'node:assert/strict';
import { assertHarmless } from '../../support/untrusted/assertHarmless.ts';
import { hostileTexts } from '../../support/untrusted/hostileTexts.ts';
import { FormRig } from './formRig.ts';

describe('messages that a webview should not send', () => {
  const rig = new FormRig();
  before(() => rig.start('dev'));
  after(() => rig.stop());

  const shapeless: unknown[] = [
    null,
    undefined,
    42,
    'apply',
    [],
    {},
    { t: 'q' },
    { t: 's', i: 1 },
    { t: 's', i: 'x', e: null },
    { t: '__proto__', i: 'x', m: 'apply', a: [{}] },
    { t: 'q', i: 1, m: 'apply', a: [{ settings: { gpuCount: 1 } }] },
    { t: 'q', i: 'x', m: 'apply', a: { settings: { gpuCount: 1 } } },
  ];
  it('are dropped where they have no shape, and the next good one is answered', async () => {
    for (const message of shapeless) rig.post(message);
    const { gives } = await rig.ask('load');
    assert.notEqual(gives, undefined);
    assert.equal(rig.service.requests.length, 0);
  });

  const misfits: [string, string, unknown][] = [
    ['an unknown request', 'executeCommand', { command: 'workbench.action.quit' }],
    ['a request named like a member of every object', 'constructor', {}],
    ['__proto__ as a request', '__proto__', {}],
    ['an apply without settings', 'apply', {}],
    ['a request that takes nothing', 'apply', null],
    ['a request that takes a list', 'apply', []],
    ['a typed text that is none', 'keep', { typed: { gpuCount: 1 }, known: {} }],
    ['known settings beyond a limit', 'keep', { typed: {}, known: { gpuCount: 9 } }],
  ];
  for (const [what, name, takes] of misfits) {
    it(`${what} is answered with a failure`, async () => {
      const { failure } = await rig.ask(name, takes);
      assert.match(failure?.message ?? '', /does not fit the protocol/);
    });
  }

  const broken: [string, unknown][] = [
    ['above a limit', { gpuCount: 9 }],
    ['below a limit', { cooldownPeriodSeconds: 0 }],
    ['of another type', { memory: 8 }],
    ['that the service does not know', { gpuCount: 1, admin: true }],
    ['with an own __proto__', JSON.parse('{"gpuCount": 1, "__proto__": {"cpu": "1"}}')],
    ['that are a list', [1]],
    ['that are a text', '{"gpuCount": 1}'],
    ['that are none', {}],
  ];
  for (const [what, settings] of broken) {
    for (const name of ['apply', 'copyAsCurl', 'exportToFile', 'applyToSeveral']) {
      it(`${name} refuses settings ${what}`, async () => {
        const { gives, failure } = await rig.ask(name, { settings });
        assert.match(String(failure?.message ?? gives?.['message']), /Nothing was sent|nothing to apply/);
        assert.notEqual(gives?.kind, 'applied');
      });
    }
  }

  it('never made the host send anything', () => assert.deepEqual(rig.service.requests, []));

  it('cannot read a token: none ever went to the webview', async () => {
    await rig.ask('apply', { settings: { gpuCount: 1 } });
    assert.equal(rig.service.requests[0]?.headers.authorization, `Bearer ${rig.service.address.token}`);
    assert.ok(!JSON.stringify(rig.sent).includes(rig.service.address.token));
  });

  it('get what the service says as one harmless line', async () => {
    for (const text of hostileTexts) {
      rig.service.answers(422, { message: text });
      const { gives } = await rig.ask('apply', { settings: { gpuCount: 1 } });
      assert.equal(gives?.kind, 'failed');
      assertHarmless(String(gives.message), 500);
    }
    rig.service.reset();
  });

  it('meet a page that loads nothing but its own parts', () => {
    assert.match(rig.html, /default-src &#39;none&#39;|default-src 'none'/);
    assert.doesNotMatch(rig.html, /unsafe/);
    const [, nonce] = /script-src 'nonce-([^']+)'/.exec(rig.html) ?? [];
    assert.ok(nonce !== undefined && nonce.length >= 24);
  });
});
