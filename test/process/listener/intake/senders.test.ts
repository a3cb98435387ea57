import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { mock } from 'node:test';
import { ListenerRig, type RigOptions } from '../../../support/listener/listenerRig.ts';
import { HostileClients } from '../../../support/listener/hostileClients.ts';
import { waitFor } from '../../../support/time/waitFor.ts';

const largest = 10 << 20;
/** What there is for bodies of more than 64 KB. */
const allRoom = 48 << 20;

describe('what whoever connects can fill', () => {
  let rig: ListenerRig;
  let strangers: HostileClients;
  async function start(limits: RigOptions['limits'] = {}): Promise<void> {
    // Time goes by where a test says so: the listener looks after its senders by itself only once in an hour.
    rig = await new ListenerRig({ limits: { tick: 3_600_000, ...limits } }).start();
    rig.configure({ maxBodyBytes: largest });
    strangers = new HostileClients(rig.port);
  }
  beforeEach(() => start());
  const sockets: Socket[] = [];
  afterEach(async () => {
    strangers.disconnect();
    for (const socket of sockets.splice(0)) socket.destroy();
    await waitFor('the room to be given back', () => rig.listener.senders.room.taken === 0);
    await rig.end();
  });

  it('is looked after once in a while, however often the listener could not listen', async () => {
    await rig.end();
    mock.timers.enable({ apis: ['setInterval'] });
    try {
      rig = new ListenerRig({ limits: { tick: 250 } });
      const inTheWay = createServer().listen(0, '127.0.0.1');
      await once(inTheWay, 'listening');
      const { port } = inTheWay.address() as AddressInfo;
      for (let tries = 0; tries < 5; tries += 1) await assert.rejects(rig.listener.listen(port));
      inTheWay.close();
      await rig.start();
      const ticks = mock.method(rig.listener.senders, 'tick');
      mock.timers.tick(1000);
      assert.deepEqual(
        ticks.mock.calls.map(({ arguments: [ms] }) => ms),
        [250, 250, 250, 250],
      );
    } finally {
      mock.timers.reset();
    }
  });

  const taken = (): number => rig.listener.senders.room.taken;
  const head = (length: number, more = ''): string =>
    `POST / HTTP/1.1\r\nHost: x\r\nContent-Length: ${length}\r\n${more}\r\n`;

  /** Has the room for larger bodies taken, by some that never come whole. */
  async function fill(): Promise<void> {
    strangers.hold(4, largest, largest - 1);
    strangers.hold(1, 8 << 20, 1);
    await waitFor('five that have all the room', () => taken() === allRoom);
  }

  /** Writes to a connection; what is answered is added to the text. */
  function open(...parts: (string | Buffer)[]): { socket: Socket; text: string; isClosed: boolean } {
    const socket = connect(rig.port, '127.0.0.1');
    sockets.push(socket);
    const opened = { socket, text: '', isClosed: false };
    socket.on('data', (chunk) => (opened.text += chunk.toString('latin1')));
    socket.on('error', () => undefined).on('close', () => (opened.isClosed = true));
    for (const part of parts) socket.write(part);
    return opened;
  }

  describe('memory', () => {
    it('has a large body wait at its sender until there is room, and smaller ones not', async () => {
      await fill();
      const body = Buffer.alloc(largest, 'x');
      const large = rig.deliver('large', body);
      let isAnswered = false;
      void large.then(() => (isAnswered = true));
      for (const size of [1, 1000, 64 * 1024]) {
        assert.equal((await rig.deliver(`r-${size}`, Buffer.alloc(size, 'x'))).status, 200);
      }
      assert.equal(isAnswered, false);
      assert.ok(taken() < allRoom + 200_000, `${taken()}`);
      strangers.disconnect();
      assert.equal((await large).status, 200);
      assert.equal(rig.list(1)[0]?.bytes, largest);
    });

    it('reads no more of one that waits, and a body that says nothing of its length the same', async () => {
      await fill();
      strangers.hold(20, largest, largest - 1);
      strangers.holdChunked(20, largest - 1);
      await waitFor('40 that wait', () => taken() > allRoom + 40);
      for (let count = 0; count < 20; count += 1) await rig.deliver(`r-${count}`);
      assert.ok(taken() < allRoom + 40 * 200_000, `${taken()}`);
      assert.equal(strangers.open, 45, 'all of them still wait');
    });

    it('lets few small bodies take it that are never whole: whoever is furthest behind has to go', async () => {
      strangers.hold(100, 64_000, 60_000);
      await waitFor('all of them', () => taken() >= 100 * 60_000);
      rig.listener.senders.tick(1000);
      strangers.hold(400, 64_000, 60_000);
      await waitFor('the first to go', () => strangers.open < 400);
      assert.equal((await rig.deliver('r-1', Buffer.alloc(60_000, 'x'))).status, 200);
      assert.ok(taken() <= 16 << 20, `${taken()}`);
      assert.equal(strangers.openBetween(0, 100), 0);
      assert.ok(strangers.openBetween(100, 500) > 200);
    });

    it('is given back, however a body ends', async () => {
      await rig.deliver('r-1', Buffer.alloc(largest, 'x'));
      rig.configure({ maxBodyBytes: 100_000 });
      const over = { ...rig.signed('r-2', '{}'), 'Transfer-Encoding': 'chunked' };
      assert.equal((await rig.send(Buffer.alloc(100_001, 'x'), over)).status, 413);
      const cut = open(head(90_000), Buffer.alloc(80_000, 'x'));
      await waitFor('a part of it', () => taken() > 0);
      cut.socket.destroy();
      rig.listener.probes.expect('the-nonce');
      await rig.send(Buffer.alloc(70_000, 'x'), { 'X-Probe': 'the-nonce' });
      await waitFor('the room', () => taken() === 0);
    });

    it('says 100 Continue to a large body when there is room for it', async () => {
      await fill();
      const large = open(head(largest, 'Expect: 100-continue\r\n'));
      assert.equal((await rig.deliver('r-1')).status, 200);
      assert.equal(large.text, '');
      strangers.disconnect();
      await waitFor('the word', () => large.text === 'HTTP/1.1 100 Continue\r\n\r\n');
    });
  });

  describe('time', () => {
    /** Seconds go by; in each of them so many bytes come on a socket. */
    async function pass(seconds: number, socket?: Socket, bytes = 0): Promise<void> {
      for (let count = 0; count < seconds; count += 1) {
        socket?.write(Buffer.alloc(bytes, 'x'));
        // What was sent before it has come when it is answered.
        assert.equal((await rig.deliver(`r-${count}`)).status, 200);
        rig.listener.senders.tick(1000);
      }
    }

    it('is ten seconds for a body that comes no further: closed without a response', async () => {
      const half = open(head(100), 'half of it');
      await pass(9);
      assert.equal(half.isClosed, false);
      await pass(2);
      await waitFor('its end', () => half.isClosed);
      assert.equal(half.text, '');
    });

    it('is no longer for one of which a byte comes now and then', async () => {
      const half = open(head(100), 'half of it');
      await pass(11, half.socket, 1);
      await waitFor('its end', () => half.isClosed);
      assert.equal(half.text, '');
    });

    it('is a minute for one that comes slowly', async () => {
      const slow = open(head(200_000));
      await pass(19, slow.socket, 10_000);
      assert.equal(slow.isClosed, false);
      slow.socket.write(Buffer.alloc(10_000, 'x'));
      await waitFor('its answer', () => slow.text.startsWith('HTTP/1.1 401'));
    });

    it('is ten seconds for one that waits for room, and begins anew when there is room', async () => {
      await fill();
      const waiting = open(head(largest), Buffer.alloc(largest - 1, 'x'));
      await waitFor('it to wait', () => rig.listener.senders.room.isWaitedFor);
      // Those before it come no further either, and two seconds are enough while somebody waits.
      await pass(1);
      strangers.disconnect();
      await waitFor('room for it', () => taken() < allRoom);
      await pass(9);
      assert.equal(waiting.isClosed, false);
      waiting.socket.write('x');
      await waitFor('its answer', () => waiting.text.startsWith('HTTP/1.1 401'));
    });

    it('is two seconds for those that come slowly while another waits for their room', async () => {
      await fill();
      const large = rig.deliver('large', Buffer.alloc(largest, 'x'));
      await waitFor('it to wait', () => rig.listener.senders.room.isWaitedFor);
      await pass(1);
      assert.equal(strangers.open, 5);
      // The last of what they send may still come in the first of these seconds.
      await waitFor('room', () => pass(1).then(() => !rig.listener.senders.room.isWaitedFor));
      assert.equal((await large).status, 200);
      assert.ok(strangers.answers.every((text) => text === ''));
    });
  });

  describe('connections', () => {
    beforeEach(async () => {
      await rig.end();
      await start({ connections: 20 });
    });

    it('are so many: who has said nothing for the longest time makes room for the next', async () => {
      strangers.connect(15);
      await waitFor('them', () => rig.listener.senders.connections === 15);
      rig.listener.senders.tick(1000);
      strangers.connect(30);
      await waitFor('the newest alone', () => strangers.open === 20 && strangers.openBetween(25, 45) === 20);
      assert.equal((await rig.deliver('r-1')).status, 200);
    });

    it('that wait for their answer stay', async () => {
      rig.listener.setNextResponses({ response: 'hang', times: 20 });
      const waiting = Array.from({ length: 20 }, () => open(head(2), '{}'));
      await waitFor('20 that wait', () => rig.list().length === 20);
      await assert.rejects(rig.deliver('r-1'), { code: 'ECONNRESET' });
      assert.ok(waiting.every(({ isClosed }) => !isClosed));
      waiting[0]?.socket.destroy();
      await waitFor('one to go', () => rig.listener.senders.connections === 19);
      assert.equal((await rig.deliver('r-1')).status, 200);
    });

    it('carry so many requests at a time: one that sends more without reading an answer is closed', async () => {
      const few = open(`${head(2)}{}`.repeat(32));
      await waitFor('32 answers', () => few.text.split('HTTP/1.1 401').length === 33);
      const many = open(`${head(2)}{}`.repeat(33));
      await waitFor('its end', () => many.isClosed);
    });
  });
});
