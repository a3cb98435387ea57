import assert from 'node:assert/strict';
import { ForwardQueue } from '../../../src/listener/forwarding/forwardQueue.ts';
import { ListenerRig } from '../../support/listener/listenerRig.ts';
import { Receiver } from '../../support/http/receiver.ts';
import { waitFor } from '../../support/time/waitFor.ts';

describe('deliveries of several apps', () => {
  let rig: ListenerRig;
  let echo: Receiver;
  let others: Receiver;
  let count = 0;
  beforeEach(async () => {
    rig = await new ListenerRig().start();
    [echo, others] = [await Receiver.start(), await Receiver.start()];
    rig.configure({
      routes: [{ appName: 'echo', to: `${echo.url}/` }, { appName: 'kept' }],
      forwardTo: `${others.url}/`,
    });
  });
  afterEach(async () => {
    await rig.end();
    await Promise.all([echo.close(), others.close()]);
  });

  /** @returns the status of the answer */
  const deliver = async (path: string, body = '{}', key?: string): Promise<number> => {
    const { status } = await rig.send(body, rig.signed(`r-${(count += 1)}`, body, key), { path });
    return status;
  };
  const paths = (app: Receiver): string[] => app.received.map(({ path }) => path);
  const noteRun = (runId: string, appName: string) => rig.store.noteRun({ runId, appName, startedAt: 1 });

  it('go where their app is, by the path that their run gave them, without the app in it', async () => {
    await deliver('/runhook/echo');
    await deliver('/hook/runhook/other?x=1');
    await deliver('/');
    await echo.count(1);
    await others.count(2);
    assert.deepEqual(paths(echo), ['/']);
    assert.deepEqual(paths(others).sort(), ['/', '/hook?x=1']);
    assert.deepEqual(
      rig.list().map(({ appName, path }) => [appName, path]),
      [
        [undefined, '/'],
        ['other', '/hook/runhook/other?x=1'],
        ['echo', '/runhook/echo'],
      ],
    );
  });

  it('go where the app of their run is, whatever the path says, small or large', async () => {
    noteRun('run-1', 'echo');
    rig.store.flush();
    await deliver('/runhook/other', '{"run_id":"run-1"}');
    await deliver('/runhook/other', JSON.stringify({ run_id: 'run-1', data: 'x'.repeat(100_000) }));
    await echo.count(2);
    assert.deepEqual(others.received, []);
    assert.deepEqual(
      rig.list().map(({ appName }) => appName),
      ['echo', 'echo'],
    );
  });

  it('keep the name of the path where the run is not known, until it is, and over a restart', async () => {
    await deliver('/runhook/other', '{"run_id":"run-2"}');
    await others.count(1);
    const name = () => rig.list()[0]?.appName;
    assert.equal(name(), 'other');
    const again = new ListenerRig({ folder: rig.folder });
    assert.equal(again.list()[0]?.appName, 'other');
    again.store.close();
    noteRun('run-2', 'echo');
    assert.equal(name(), 'echo');
  });

  it('are kept where their app has no address that is allowed, and not sent to that of the others', async () => {
    assert.equal(await deliver('/runhook/kept'), 200);
    await deliver('/runhook/other');
    await others.count(1);
    assert.deepEqual(paths(others), ['/']);
    assert.equal(rig.list().find(({ appName }) => appName === 'kept')?.forward, undefined);
    rig.configure({ forwardMode: 'passThrough' });
    assert.equal(await deliver('/runhook/kept'), 200);
  });

  it('are judged by their signature alone, whatever app a path names', async () => {
    for (const path of ['/runhook/echo', '/runhook/..%2f', '/runhook/%ff', `/runhook/${'x'.repeat(3000)}`]) {
      assert.equal(await deliver(path, '{}', 'of a stranger'), 401, path);
      assert.equal((await rig.send('{}', {}, { path })).status, 401, path);
      const [unsigned, mismatch] = rig.list(2);
      assert.deepEqual([unsigned?.verdict, mismatch?.verdict], ['unsigned', 'mismatch']);
      assert.ok((mismatch?.appName ?? '').length <= 200);
    }
    await deliver('/');
    await others.count(1);
    assert.deepEqual([echo.received.length, others.received.length], [0, 1]);
  });

  it('wait for no app but their own, however much another holds back', async () => {
    echo.otherwise = 'hang';
    await Promise.all(Array.from({ length: 40 }, () => deliver('/runhook/echo')));
    await echo.count(32);
    for (let n = 1; n <= 3; n += 1) {
      await deliver('/runhook/other');
      await others.count(n);
    }
    assert.equal(echo.received.length, 32, 'no more than that many at a time');
    rig.listener.forwardQueue.close();
  });
});

describe('what is forwarded at a time', () => {
  it('is 64 MB together, and one of each upstream beyond that, in the order in which they came', async () => {
    const [slow, quick] = [await Receiver.start(), await Receiver.start()];
    slow.otherwise = 'hang';
    const body = Buffer.alloc(1);
    const kept = (id: string) => ({
      ...({ id, receivedAt: 0, verdict: 'verified', standing: 'verified', answered: 200 } as const),
      ...{ method: 'POST', path: `/${id}`, rawHeaders: [], body },
    });
    const queue = new ForwardQueue({ kept, note: () => undefined, acceptedStatus: () => undefined });
    const push = (id: string, to: string) => queue.push({ id, repeatOf: undefined, bytes: 40 << 20 }, to);
    const held = ['a', 'b'].map((id) => push(id, slow.url));
    await slow.count(1);
    const done = ['c', 'd', 'e'].map((id) => push(id, quick.url));
    assert.deepEqual(await Promise.all(done), [200, 200, 200]);
    assert.deepEqual(
      quick.received.map(({ path }) => path),
      ['/c', '/d', '/e'],
    );
    assert.equal(slow.received.length, 1);
    queue.close();
    await waitFor('the end', () => !['a', 'b'].some((id) => queue.isUnderWay(id)));
    assert.deepEqual(await Promise.all(held), [undefined, undefined]);
    await Promise.all([slow.close(), quick.close()]);
  });
});
