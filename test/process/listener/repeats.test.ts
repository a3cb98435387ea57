import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import type { ServerResponse } from 'node:http';
import { DatabaseSync } from 'node:sqlite';
import { migrate } from '../../../src/listener/store/migrations.ts';
import {
  repeatHash,
  mostRemembered,
  rememberedUntil,
  RepeatTable,
} from '../../../src/listener/store/repeatTable.ts';
import { ListenerRig } from '../../support/listener/listenerRig.ts';
import { Receiver } from '../../support/http/receiver.ts';
import { waitFor } from '../../support/time/waitFor.ts';

describe('a repeat', () => {
  let rig: ListenerRig;
  let app: Receiver;
  beforeEach(async () => {
    rig = await new ListenerRig().start();
    app = await Receiver.start();
    rig.configure({ forwardTo: app.url, keep: 3 });
  });
  afterEach(async () => {
    await rig.end();
    await app.close();
  });

  const forwarded = (requestId: string): number =>
    app.received.filter(({ headers }) => headers['x-request-id'] === requestId).length;
  /** Delivers others, and waits until the app has them: what came before has been dealt with then. */
  const deliverOthers = async (name: string): Promise<void> => {
    for (let count = 0; count < 4; count += 1) await rig.deliver(`${name}-${count}`);
    await waitFor('the others', () => rig.list().every(({ forward, repeatOf }) => forward ?? repeatOf));
  };

  for (const toleranceSeconds of [300, 0]) {
    it(`is known as one though the first is not kept any more, within ${toleranceSeconds} s`, async () => {
      rig.configure({ toleranceSeconds });
      const headers = rig.signed('r-1', '{}');
      const again = async (): Promise<void> => assert.equal((await rig.send('{}', headers)).status, 200);
      await again();
      await deliverOthers('a');
      assert.deepEqual(
        rig.list().map(({ id }) => id),
        ['d-5', 'd-4', 'd-3'],
      );
      rig.clock += 299_000;
      await again();
      assert.equal(rig.list()[0]?.repeatOf, 'd-1');
      await deliverOthers('b');
      rig.store.clear();
      await again();
      assert.equal(rig.list()[0]?.repeatOf, 'd-1');
      assert.equal(rig.told()[0]?.wasTaken, true);
      await deliverOthers('c');
      assert.equal(forwarded('r-1'), 1);

      const { folder } = rig;
      await rig.listener.close();
      rig.store.close();
      rig = await new ListenerRig({ folder }).start();
      rig.configure({ forwardTo: app.url, forwardMode: 'passThrough', toleranceSeconds });
      rig.clock += 299_000;
      app.otherwise = 500;
      await again();
      assert.equal(forwarded('r-1'), 1);
    });
  }

  it('is not forwarded where the first was cleared while the app had it', async () => {
    const held: ServerResponse[] = [];
    app.otherwise = (_, response) => held.push(response);
    await rig.deliver('r-1');
    await app.count(1);
    rig.store.clear();
    await rig.deliver('r-1');
    app.otherwise = 200;
    held[0]?.end();
    await deliverOthers('a');
    rig.store.clear();
    await rig.deliver('r-1');
    await deliverOthers('b');
    assert.equal(forwarded('r-1'), 1);
  });

  it('is forwarded where the app did not take the first, although that is not kept any more', async () => {
    app.behaviours = [500];
    await rig.deliver('r-1');
    await waitFor('the forward', () => rig.list()[0]?.forward?.status === 500);
    rig.store.clear();
    await rig.deliver('r-1');
    await waitFor('the forward', () => rig.list()[0]?.forward?.status === 200);
    assert.equal(rig.list()[0]?.repeatOf, 'd-1');
  });

  it('is known as one among others with its id, in one packet', async () => {
    rig.configure({ keep: 100 });
    const bodies = ['{"a":1}', '{"b":2}', '{"a":1}', '{"b":2}', '{"a":1}'];
    const requests = bodies.map((body) => {
      const headers = { Host: 'here', 'Content-Length': body.length, ...rig.signed('r-1', body) };
      const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
      return `POST / HTTP/1.1\r\n${lines.join('')}\r\n${body}`;
    });
    const socket = connect(rig.port, '127.0.0.1');
    await once(socket, 'connect');
    socket.resume().write(requests.join(''));
    await waitFor('all of them', () => rig.arrived.length === bodies.length);
    socket.destroy();
    assert.deepEqual(
      rig
        .list()
        .reverse()
        .map(({ repeatOf }) => repeatOf),
      [undefined, undefined, 'd-1', 'd-2', 'd-1'],
    );
    await deliverOthers('a');
    assert.equal(forwarded('r-1'), 2);
  });

  it('goes where the first went, whatever path and app it names, and nowhere where that is not known any more', async () => {
    const other = await Receiver.start();
    try {
      app.otherwise = 500;
      rig.configure({ keep: 100, routes: [{ appName: 'other', to: other.url }] });
      const headers = rig.signed('r-1', '{}');
      const send = async (path: string): Promise<void> => {
        await rig.send('{}', headers, { path });
        await waitFor('the forward', () => rig.list().every(({ forward }) => forward));
      };
      await send('/hook?a=1');
      await send('/delete-everything?a=2');
      await send('/hook/runhook/other');
      assert.deepEqual(
        rig.list().map(({ path, appName }) => [path, appName]),
        [
          ['/hook/runhook/other', undefined],
          ['/delete-everything?a=2', undefined],
          ['/hook?a=1', undefined],
        ],
      );
      rig.store.clear();
      await rig.send('{}', headers, { path: '/delete-everything' });
      assert.deepEqual(rig.list()[0]?.repeatOf, 'd-1');
      await rig.send('{}', headers, { path: '/hook?a=1' });
      await waitFor('the forward', () => rig.list()[0]?.forward);
      assert.deepEqual(
        app.received.filter((one) => one.headers['x-request-id'] === 'r-1').map(({ path }) => path),
        ['/hook?a=1', '/hook?a=1', '/hook?a=1', '/hook?a=1'],
      );
      assert.equal(other.received.length, 0);
    } finally {
      await other.close();
    }
  });

  it('is known for as long as the first could be sent again, among a bounded number', () => {
    const database = new DatabaseSync(':memory:');
    migrate(database);
    const table = new RepeatTable(database);
    const body = Buffer.from('{}');
    const remember = (requestId: string, until: number): void =>
      table.remember({ hash: repeatHash(requestId, body), first: requestId, path: '/', until });
    const isKnown = (requestId: string): boolean =>
      table.firstOf({ path: '/', hash: repeatHash(requestId, body) }) !== undefined;
    const now = 1_790_000_000_000;
    // Signed as far ahead as it may be, it verifies for twice the tolerance.
    remember('r-1', rememberedUntil(now, 3600));
    remember('r-2', rememberedUntil(now, 1));
    remember('r-3', rememberedUntil(now, 0));
    table.trim(now + 7_200_000);
    assert.deepEqual(['r-1', 'r-2', 'r-3'].map(isKnown), [true, false, true]);
    remember('r-1', rememberedUntil(now + 3_600_000, 3600));
    table.trim(now + 7_200_001);
    assert.deepEqual(['r-1', 'r-3'].map(isKnown), [true, true], 'a repeat could be sent again for longer');
    table.trim(now + 20_000_000);
    assert.deepEqual(['r-1', 'r-3'].map(isKnown), [false, true]);
    database.exec(
      `INSERT INTO repeats SELECT ${mostRemembered} + number, x'00', first, path_hash, until, status FROM repeats`,
    );
    table.trim(now + 20_000_001);
    assert.equal(isKnown('r-3'), false);
    // Such a hash is in a file that was harmed alone.
    assert.equal(new RepeatTable(database).isNew({ path: '/', hash: repeatHash('r-4', body) }), true);
    for (const tolerance of [1e300, 0.5, Number.MAX_SAFE_INTEGER]) {
      assert.ok(Number.isSafeInteger(rememberedUntil(now, tolerance)));
    }
    database.close();
  });
});
