import assert from 'node:assert/strict';
import { connect, Socket } from 'node:net';
import { ListenerRig, type RigOptions } from '../../../support/listener/listenerRig.ts';
import { startSandboxServer } from '../../../support/service/startSandboxServer.ts';
import { HostileClients } from '../../../support/listener/hostileClients.ts';
import { waitFor } from '../../../support/time/waitFor.ts';

describe('a request that breaks off before it is whole', () => {
  let rig: ListenerRig;
  let socket = new Socket();
  async function start(limits: RigOptions['limits'] = {}): Promise<void> {
    // Time goes by where a test says so: the listener looks after its senders by itself only once in an hour.
    rig = await new ListenerRig({ limits: { tick: 3_600_000, ...limits } }).start();
  }
  afterEach(async () => {
    socket.destroy();
    await rig.end();
  });

  const sized = (length: number, more = ''): string =>
    `POST / HTTP/1.1\r\nHost: x\r\nContent-Length: ${length}\r\n${more}\r\n`;
  const chunked = 'POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n';
  /** What was sent has come: the listener has read it before what it answers after that. */
  async function send(text: string): Promise<void> {
    socket = connect(rig.port, '127.0.0.1').on('error', () => undefined);
    await new Promise<void>((sent) => socket.write(text, () => sent()));
    assert.equal((await rig.deliver('after it')).status, 200);
  }
  const told = async (): Promise<object> => {
    const one = await waitFor('word of it', () => rig.brokenOff[0]);
    assert.equal(rig.brokenOff.length, 1);
    const { at, ...rest } = one;
    assert.equal(at, new Date(rig.clock).toISOString());
    return rest;
  };

  describe('is told of, to the byte, and not kept:', () => {
    beforeEach(() => start());
    afterEach(() => assert.equal(rig.list().length, 1, 'the delivery after it alone is kept'));

    const ends: [string, (socket: Socket) => void][] = [
      ['its sender closes the connection', (sender) => sender.end()],
      ['its sender is gone at once', (sender) => sender.resetAndDestroy()],
    ];
    for (const [what, end] of ends) {
      it(what, async () => {
        await send(`${sized(1624)}${'x'.repeat(812)}`);
        end(socket);
        assert.deepEqual(await told(), { bytes: 812, announced: 1624 });
      });
    }

    it('it says nothing of its length', async () => {
      await send(`${chunked}a\r\n${'x'.repeat(10)}\r\n`);
      socket.end();
      assert.deepEqual(await told(), { bytes: 10 });
    });

    it('what comes next is no chunk', async () => {
      await send(`${chunked}a\r\n${'x'.repeat(10)}\r\n`);
      socket.write('what?\r\n');
      assert.deepEqual(await told(), { bytes: 10 });
    });

    it('nothing of its body has come', async () => {
      await send(sized(100, 'Expect: 100-continue\r\n'));
      socket.end();
      assert.deepEqual(await told(), { bytes: 0, announced: 100 });
    });

    it('it is larger than what is small', async () => {
      await send(`${sized(200_000)}${'x'.repeat(100_000)}`);
      await waitFor('its beginning', () => rig.listener.senders.room.taken >= 200_000);
      await waitFor('all that was sent', () => socket.bytesWritten > 100_000);
      socket.end();
      assert.deepEqual(await told(), { bytes: 100_000, announced: 200_000 });
    });

    it('no more of it has come for ten seconds', async () => {
      await send(`${sized(1624)}${'x'.repeat(812)}`);
      for (let seconds = 0; seconds < 11; seconds += 1) rig.listener.senders.tick(1000);
      assert.deepEqual(await told(), { bytes: 812, announced: 1624, wasLate: true });
    });

    it('the listener stops', async () => {
      await send(`${sized(1624)}${'x'.repeat(812)}`);
      await rig.listener.close();
      assert.deepEqual(await told(), { bytes: 812, announced: 1624 });
    });
  });

  it('is told of where it has taken longer than a request may', async () => {
    await start({ request: 200, headers: 100, check: 20 });
    await send(`${sized(1624)}${'x'.repeat(812)}`);
    assert.deepEqual(await told(), { bytes: 812, announced: 1624, wasLate: true });
  });

  it('names its run where that came before it broke off', async () => {
    await start();
    await send(`${sized(1624)}{"run_id":"run-7","app_name":"echo","result":"${'x'.repeat(500)}`);
    socket.end();
    assert.equal(((await told()) as { runId?: string }).runId, 'run-7');
  });

  it('names its run where the sandbox leaves it hanging', async () => {
    await start({ tick: 20, patience: 60 });
    const sandbox = await startSandboxServer();
    try {
      const { proxyUrl, projectId, token } = sandbox.address;
      const endpoint = encodeURIComponent(`http://127.0.0.1:${rig.port}/`);
      const answer = await fetch(`${proxyUrl}/v4/${projectId}/echo/run?webhookEndpoint=${endpoint}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'x-sandbox-fault': 'hang' },
        body: '{}',
      });
      const { run_id: runId } = (await answer.json()) as { run_id: string };
      const one = await waitFor('word of it', () => rig.brokenOff[0]);
      assert.equal(one.runId, runId);
      assert.equal(one.wasLate, true);
      assert.equal(one.bytes, Math.ceil(one.announced! / 2));
    } finally {
      await sandbox.close();
    }
  });

  it('is not told of where nothing broke off: what was refused, kept, or never was a request', async () => {
    await start();
    await send(sized(5, 'Origin: http://example.test\r\n'));
    socket.destroy();
    await send('POST / HTTP/1.1\r\nHost:');
    socket.destroy();
    await send(`${sized(2)}{}`);
    socket.destroy();
    rig.configure({ maxBodyBytes: 10 });
    await send(`${sized(20)}${'x'.repeat(15)}`);
    socket.destroy();
    await waitFor('them to have gone', () => rig.listener.senders.connections === 0);
    assert.deepEqual(rig.brokenOff, []);
  });

  it('of a flood is a short word each, and gives back its room', async () => {
    await start();
    const strangers = new HostileClients(rig.port);
    strangers.hold(500, 64_000, 20_000);
    await waitFor('all of them', () => rig.listener.senders.room.taken >= 500 * 20_000);
    strangers.disconnect();
    await waitFor('word of all', () => rig.brokenOff.length === 500);
    assert.equal(rig.listener.senders.room.taken, 0);
    assert.ok(rig.brokenOff.every((one) => JSON.stringify(one).length < 200));
    assert.equal((await rig.deliver('r-1')).status, 200);
    assert.equal(rig.list().length, 1);
  });
});
