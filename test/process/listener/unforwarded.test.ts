import assert from 'node:assert/strict';
import { ForwardQueue } from '../../../src/listener/forwarding/forwardQueue.ts';
import type { ListenerSettings } from '../../../src/deliveries/listenerProtocol.ts';
import { ListenerRig } from '../../support/listener/listenerRig.ts';
import { isRunning, ProgramWindows, type TestWindow } from '../../support/listener/programWindows.ts';
import { Receiver } from '../../support/http/receiver.ts';
import { kept } from '../../support/listener/storeRig.ts';
import { waitFor } from '../../support/time/waitFor.ts';

const error = 'the listener ended before your app answered';

describe('deliveries that wait for the local app', () => {
  let windows: ProgramWindows;
  let app: Receiver;
  let window: TestWindow;
  beforeEach(async () => {
    windows = new ProgramWindows();
    app = await Receiver.start();
    app.otherwise = 'hang';
  });
  afterEach(async () => {
    await windows.end();
    await app.close();
  });

  const settings = (): Partial<ListenerSettings> => ({ forwardTo: `${app.url}/` });
  const hasEnded = () => waitFor('the end of the program', () => !isRunning(window.welcome.pid));
  const open = async (changed: Partial<ListenerSettings> = {}): Promise<number> => {
    window = await windows.open({ settings: { ...settings(), ...changed } });
    return (await window.peer.call.listen({ port: 0 })).port;
  };

  it('stay until they were handed on, although more came than are to be kept', async () => {
    const held: (() => void)[] = [];
    app.otherwise = (_, response) => held.push(() => response.end());
    const sender = windows.sender(await open({ keep: 50 }));
    for (let count = 0; count < 150; count += 1) assert.equal(await sender.deliver(`r-${count}`, '{}'), 200);
    await app.count(32);
    const page = () => window.peer.call.page({ filter: {}, limit: 200 });
    const { deliveries: shown } = await page();
    assert.ok(shown.every(({ isForwarding }) => isForwarding === true));
    assert.equal(shown.length, 50);
    app.otherwise = 200;
    for (const release of held) release();
    await waitFor('the last', () => app.received.length === 150);
    await waitFor('the others to go', async () => {
      const { deliveries } = await page();
      return deliveries.length === 50 && deliveries.every(({ forward }) => forward?.status === 200);
    });
    assert.ok((await page()).deliveries.every((one) => !('isForwarding' in one)));
    assert.deepEqual(await window.peer.call.failed(), []);
  });

  for (const [what, name] of [
    ['others', (count: number) => `r-${count}`],
    ['repeats of one', () => 'r'],
  ] as const) {
    it(`take no more memory than is kept of them, however many come: ${what}`, async () => {
      const rig = await new ListenerRig().start();
      try {
        rig.configure({ ...settings(), keep: 5 });
        for (let count = 0; count < 100; count += 1) await rig.deliver(name(count));
        // Four times as many may wait as are kept otherwise, and 32 are with the app at a time.
        const waiting = () => rig.arrived.filter((id) => rig.listener.forwardQueue.isUnderWay(id)).length;
        await waitFor('the others to be forgotten', () => waiting() <= 4 * 5 + 32);
        rig.listener.forwardQueue.close();
        await waitFor('the end of all', () => waiting() === 0);
      } finally {
        await rig.end();
      }
    });
  }

  it('lose nothing that is kept when the next program looks for them', async () => {
    const sender = windows.sender(await open({ keep: 5000 }));
    for (let sent = 0; sent < 1100; sent += 100) {
      await Promise.all(Array.from({ length: 100 }, (_, index) => sender.deliver(`${sent + index}`, '{}')));
    }
    process.kill(window.welcome.pid, 'SIGKILL');
    await window.peer.closed;
    await open({ keep: 5000 });
    assert.equal((await window.peer.call.list({})).length, 1100);
  });

  describe('when the program ends', () => {
    const names = Array.from({ length: 40 }, (_, index) => `r-${index}`);
    const endings = {
      'for another version': async () => {
        window = await windows.open({ settings: settings(), version: '99.0.0', replaces: true });
      },
      'by Stop': async () => {
        await window.peer.call.stop();
        await open();
      },
      'with its last window': async () => {
        window.peer.close();
        await hasEnded();
        await open();
      },
      'by SIGTERM': async () => {
        process.kill(window.welcome.pid, 'SIGTERM');
        await window.peer.closed;
        await open();
      },
      'by SIGKILL': async () => {
        process.kill(window.welcome.pid, 'SIGKILL');
        await window.peer.closed;
        await open();
      },
    };
    for (const [how, end] of Object.entries(endings)) {
      it(`are there as not taken by it: ${how}`, async () => {
        const sender = windows.sender(await open());
        for (const name of names) assert.equal(await sender.deliver(name, '{}'), 200);
        assert.equal((await app.count(32)).length, 32);
        await end();
        const kept = (await window.peer.call.list({})).reverse();
        assert.deepEqual(
          kept.map(({ requestId, answered }) => [requestId, answered]),
          names.map((name) => [name, 200]),
        );
        for (const { attempts = [] } of kept) {
          assert.deepEqual(
            attempts.map(({ kind, to, status, error: why }) => [kind, to, status, why]),
            [['forward', `${app.url}/`, undefined, error]],
          );
        }
        const all = kept.map(({ id }) => id);
        assert.deepEqual(await window.peer.call.failed(), all);
        // Nobody knows what the app did with the others: nothing is forwarded again by itself.
        assert.equal(app.received.length, 32);
        app.otherwise = 200;
        const [id = ''] = all;
        await window.peer.call.replay({ sending: 's-1', id, to: `${app.url}/`, resign: false });
        assert.deepEqual(await window.peer.call.failed(), all.slice(1));
      });
    }

    it('are told as such to its windows before it ends by Stop', async () => {
      const sender = windows.sender(await open());
      assert.equal(await sender.deliver('r-1', '{}'), 200);
      await app.count(1);
      await window.peer.call.stop();
      await window.peer.closed;
      const last = window.told.at(-1);
      assert.deepEqual([last?.isForwarding, last?.forward?.error], [undefined, error]);
    });

    it('are not among those where the app had answered, or had taken one that they repeat', async () => {
      const sender = windows.sender(await open());
      app.behaviours = [500];
      await sender.deliver('failed', '{}');
      await waitFor('the answer', () => window.told.some(({ forward }) => forward));
      const held: (() => void)[] = [];
      app.otherwise = (_, response) => held.push(() => response.end());
      for (const name of ['taken', 'taken', 'taken']) assert.equal(await sender.deliver(name, '{}'), 200);
      await app.count(2);
      for (const release of held) release();
      await waitFor('the word of the last', () =>
        window.told.some(({ id, wasTaken }) => id === lastId() && wasTaken),
      );
      process.kill(window.welcome.pid, 'SIGKILL');
      await window.peer.closed;
      await open();
      const kept = (await window.peer.call.list({})).reverse();
      assert.deepEqual(
        kept.map(({ attempts = [] }) => attempts.map(({ status }) => status)),
        [[500], [200], [], []],
      );
      assert.deepEqual(await window.peer.call.failed(), [kept[0]?.id]);
    });

    it('are neither read nor noted any more: the store is closed by then', async () => {
      let calls = 0;
      const count = (): undefined => void (calls += 1);
      const read = (id: string) => {
        count();
        return kept(id);
      };
      const queue = new ForwardQueue({ kept: read, note: count, acceptedStatus: count });
      const push = (id: string, repeatOf?: string) => queue.push({ id, repeatOf, bytes: 1 }, `${app.url}/`);
      const all = Array.from({ length: 34 }, (_, index) => push(`d-${index}`));
      const repeat = push('again', 'd-0');
      await app.count(32);
      const before = calls;
      queue.close();
      assert.deepEqual(new Set(await Promise.all([...all, repeat])), new Set([undefined]));
      assert.equal(calls, before);
    });

    it('are sent again by the service where that waited for the app, and handed on then', async () => {
      const sender = windows.sender(await open({ forwardMode: 'passThrough' }));
      const sent = sender.deliver('r', '{}').catch(() => 0);
      await app.count(1);
      await window.peer.call.stop();
      assert.equal(await sent, 0);
      app.otherwise = 200;
      const again = windows.sender(await open({ forwardMode: 'passThrough' }));
      const [first] = await window.peer.call.list({});
      assert.deepEqual([first?.answered, first?.forward?.error], [0, error]);
      assert.equal(await again.deliver('r', '{}'), 200);
      assert.equal(app.received.length, 2);
      assert.deepEqual(await window.peer.call.failed(), []);
    });
  });

  const lastId = (): string | undefined => window.arrived.at(-1)?.id;
});
