import assert from 'node:assert/strict';
import { mostBodyBytes } from '../../../../src/deliveries/listenerProtocol.ts';
import type { SecretOwner } from '../../../../src/service/signature/webhookSecret.ts';
import { runIdOf } from '../../../../src/deliveries/runIdOf.ts';
import { defaultSecret } from '../../../support/listener/defaultSecret.ts';
import { ListenerRig } from '../../../support/listener/listenerRig.ts';
import { signatureCases } from '../../../support/deliveries/signatureCases.ts';

describe('the listener over HTTP', () => {
  let rig: ListenerRig;
  beforeEach(async () => {
    rig = await new ListenerRig().start();
  });
  afterEach(() => rig.end());

  describe('signature cases', () => {
    for (const { name, heldSecret, clock, headers, bodyBase64, verdict } of signatureCases) {
      it(`${name} → ${verdict}`, async () => {
        rig.clock = clock * 1000;
        rig.configure({ secrets: [defaultSecret(heldSecret)] });
        const body = Buffer.from(bodyBase64, 'base64');
        const { status } = await rig.send(body, headers);
        const [delivery] = rig.list();
        assert.equal(delivery?.verdict, verdict);
        assert.equal(status, verdict === 'verified' ? 200 : 401);
        assert.equal(delivery.answered, status);
        const kept = Buffer.from(delivery.body, delivery.bodyEncoding ?? 'utf8');
        assert.deepEqual(kept, body);
      });
    }
  });

  describe('answers by what arrives', () => {
    it('unsigned while no secret is held → 200', async () => {
      rig.configure({ secrets: [] });
      assert.equal((await rig.send('{}', {})).status, 200);
      assert.equal(rig.list()[0]?.verdict, 'unsigned');
    });

    it('signed while no secret is held → 401, no-secret', async () => {
      rig.configure({ secrets: [] });
      assert.equal((await rig.deliver('r-1')).status, 401);
      assert.equal(rig.list()[0]?.verdict, 'no-secret');
    });

    it('unsigned while strangers reach it → 401, although no secret is held', async () => {
      rig.configure({ secrets: [], isPublic: true });
      assert.equal((await rig.send('{}', {})).status, 401);
      assert.equal(rig.list()[0]?.verdict, 'unsigned');
      // It takes no search, so it waits for none.
      assert.match(rig.store.page({}, 1).deliveries[0]?.reason ?? '', /^no signature header/);
    });

    it('a probe → 200, nothing kept; once it has come, the like of it is a delivery', async () => {
      rig.listener.probes.expect('the-nonce');
      const headers = { ...rig.signed('r-1', '{}'), 'X-Probe': 'runhook the-nonce' };
      assert.equal((await rig.send('{}', headers, { path: '/hook?a=1' })).status, 200);
      assert.deepEqual(rig.list(), []);
      const probe = rig.listener.probes.collect('the-nonce');
      assert.equal(probe?.path, '/hook?a=1');
      assert.equal(probe.verdict, 'verified');
      assert.equal(Buffer.from(probe.body, 'base64').toString(), '{}');
      assert.equal((await rig.send('{}', headers)).status, 200);
      assert.equal(rig.list().length, 1);
    });

    it('what does not verify → 200 where it is accepted', async () => {
      rig.configure({ acceptUnverified: true });
      assert.equal((await rig.send('{}', rig.signed('r-1', 'other'))).status, 200);
      assert.equal(rig.list()[0]?.verdict, 'mismatch');
    });

    it('not POST → 405, nothing kept', async () => {
      for (const method of ['GET', 'PUT', 'DELETE', 'OPTIONS']) {
        assert.equal((await rig.send('', {}, { method })).status, 405);
      }
      assert.deepEqual(rig.list(), []);
      assert.equal(rig.refused.length, 4);
    });

    it('from a web page → 403, nothing kept', async () => {
      const headers = { ...rig.signed('r-1', '{}'), Origin: 'http://example.test' };
      assert.equal((await rig.send('{}', headers)).status, 403);
      assert.equal((await rig.send('{}', { ...headers, Origin: 'null' })).status, 403);
      assert.deepEqual(rig.list(), []);
    });

    it('too large → 413, nothing kept, told with the run it names', async () => {
      rig.configure({ maxBodyBytes: 1000 });
      const body = Buffer.alloc(1001, '{"run_id":"run-7","text":"');
      assert.equal((await rig.deliver('r-1', body)).status, 413);
      const chunked = { ...rig.signed('r-1', body), 'Transfer-Encoding': 'chunked' };
      assert.equal((await rig.send(body, chunked)).status, 413);
      const told = rig.refused.map(({ status, mostBytes, runId }) => ({ status, mostBytes, runId }));
      const each = { status: 413, mostBytes: 1000, runId: 'run-7' };
      assert.deepEqual(told, [each, each]);
      assert.equal((await rig.deliver('r-1', body.subarray(1))).status, 200);
      assert.equal(rig.list().length, 1);
    });
  });

  it('lists what it answers with 200, of the largest size that a setting allows, and displaces nothing by it', async () => {
    rig.configure({ maxBodyBytes: 10 * mostBodyBytes });
    const headers = {
      ...rig.signed('r-0', ''),
      Expect: '100-continue',
      'Content-Length': `${mostBodyBytes + 1}`,
    };
    assert.equal((await rig.send('', headers)).status, 413, 'more than any setting allows');
    assert.deepEqual(
      rig.refused.map(({ status, runId }) => [status, runId]),
      [[413, undefined]],
    );
    for (let count = 0; count < 20; count += 1) await rig.deliver(`r-${count}`);
    const body = Buffer.alloc(mostBodyBytes, '{"run_id":"r-1","text":"');
    assert.equal((await rig.deliver('large', body)).status, 200);
    assert.equal(rig.store.page({}, 100).deliveries.length, 21);
    assert.equal((await rig.store.newest(1))[0]?.bytes, mostBodyBytes);
    assert.equal(runIdOf(Buffer.alloc(2 ** 29 + 1, '"run_id":')), undefined);
  });

  it('the secret before a rotation verifies for ten minutes, and the delivery says so', async () => {
    const until = rig.clock + 600_000;
    rig.configure({ secrets: [defaultSecret('new'), defaultSecret('old', until)] });
    assert.equal((await rig.send('{}', rig.signed('r-1', '{}', 'old'))).status, 200);
    assert.match(rig.list()[0]?.reason ?? '', /before the last rotation/);
    rig.clock = until;
    assert.equal((await rig.send('{}', rig.signed('r-2', '{}', 'old'))).status, 401);
  });

  it('the machine was asleep: what was sent before is stale and says how old, what is sent now verifies', async () => {
    const until = rig.clock + 600_000;
    rig.configure({ secrets: [defaultSecret('new'), defaultSecret('old', until)] });
    const sentBefore = rig.signed('r-1', '{}', 'new');
    rig.clock += 8 * 3_600_000;
    assert.equal((await rig.send('{}', sentBefore)).status, 401);
    assert.equal((await rig.send('{}', rig.signed('r-2', '{}', 'new'))).status, 200);
    // The ten minutes of the earlier secret ran on meanwhile.
    assert.equal((await rig.send('{}', rig.signed('r-3', '{}', 'old'))).status, 401);
    const [lapsed, now, before] = rig.list();
    assert.equal(before?.verdict, 'stale');
    assert.match(before.reason ?? '', /^8 h old on arrival: /);
    assert.equal(now?.verdict, 'verified');
    assert.match(lapsed?.reason ?? '', /earlier secret/);
  });

  describe('several secrets', () => {
    const acme: SecretOwner = { kind: 'project', projectId: 'p-1', name: 'Acme' };
    const hello: SecretOwner = { kind: 'app', projectId: 'p-1', name: 'hello' };
    const once: SecretOwner = { kind: 'once', projectId: 'p-1', name: 'hello' };
    const reasonOf = async (key: string): Promise<string | undefined> => {
      await rig.send('{}', rig.signed('r-1', '{}', key));
      return rig.list()[0]?.reason;
    };

    it('verify, and the delivery says whose it was; the only one need not be named', async () => {
      const until = rig.clock + 600_000;
      rig.configure({
        secrets: [
          { secret: 'asked', owner: once, until },
          defaultSecret('all'),
          defaultSecret('all-before', until),
          { secret: 'project', owner: acme },
          { secret: 'project-before', owner: acme, until },
          { secret: 'app', owner: hello },
          { secret: 'app-before', owner: hello, until },
        ],
      });
      assert.equal(await reasonOf('all'), 'signed with the default secret');
      assert.equal(await reasonOf('all-before'), 'signed with the secret before the last rotation');
      assert.equal(await reasonOf('project'), 'signed with the secret of the project Acme');
      assert.match((await reasonOf('project-before')) ?? '', /of the project Acme before its last rotation$/);
      assert.equal(await reasonOf('app'), 'signed with the secret of hello');
      assert.match((await reasonOf('app-before')) ?? '', /of hello before its last rotation$/);
      assert.equal(await reasonOf('asked'), 'signed with the one-time secret for hello');
      assert.ok(rig.list().every(({ verdict, answered }) => verdict === 'verified' && answered === 200));
      rig.clock = until;
      assert.match((await reasonOf('app-before')) ?? '', /^earlier secret of hello: the caller/);
      assert.match(
        (await reasonOf('app\n')) ?? '',
        /^signed with the secret of hello; and newline after secret/,
      );
      rig.configure({ secrets: [{ secret: 'app', owner: hello }] });
      assert.equal(await reasonOf('app'), undefined);
    });

    it('an unsigned delivery is refused where any is held, be it one asked for once', async () => {
      rig.configure({ secrets: [{ secret: 'asked', owner: once, until: rig.clock + 1 }] });
      assert.equal((await rig.send('{}', {})).status, 401);
      rig.clock += 1;
      assert.equal((await rig.send('{}', {})).status, 200);
    });

    it('are tried as far as the size of the body leaves time for it, the one that fitted last first', async () => {
      const secrets = Array.from({ length: 60 }, (_, index) => defaultSecret(`secret-${index}`));
      rig.configure({ secrets, maxBodyBytes: 10 * 1024 * 1024 });
      const large = Buffer.alloc(10 * 1024 * 1024, 0x20);
      const last = (body: Buffer | string) => rig.send(body, rig.signed('r-last', body, 'secret-59'));
      assert.equal((await last(large)).status, 401);
      assert.match(rig.list()[0]?.reason ?? '', /^body too large: not every secret was tried, left out: 48/);
      assert.equal((await last('{}')).status, 200);
      assert.equal((await last(large)).status, 200);
    });
  });

  it('a repeat is joined to the first; another body is none', async () => {
    await rig.deliver('r-1', '{"a":1}');
    await rig.deliver('r-1', '{"a":1}');
    await rig.deliver('r-1', '{"a":2}');
    const [other, repeat, first] = rig.list();
    assert.equal(first?.repeatOf, undefined);
    assert.equal(repeat?.repeatOf, first?.id);
    assert.equal(other?.repeatOf, undefined);
  });

  it('answers as ordered, so often as ordered', async () => {
    rig.listener.setNextResponses({ response: 503, times: 2 });
    assert.equal((await rig.deliver('r-1')).status, 503);
    assert.equal((await rig.deliver('r-2')).status, 503);
    assert.equal((await rig.deliver('r-3')).status, 200);
    rig.listener.setNextResponses({ response: 'drop', times: 1 });
    await assert.rejects(rig.deliver('r-4'), { code: 'ECONNRESET' });
    assert.equal(rig.list()[0]?.answered, 0);
  });
});
