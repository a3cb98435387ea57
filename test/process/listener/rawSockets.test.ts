import assert from 'node:assert/strict';
import { connect, type Socket } from 'node:net';
import { ListenerRig } from '../../support/listener/listenerRig.ts';
import { HostileClients } from '../../support/listener/hostileClients.ts';
import { waitFor } from '../../support/time/waitFor.ts';

/** What the listener sends until it closes the connection, or until `enough` says so. */
function exchange(
  port: number,
  send: (socket: Socket) => void,
  enough: (text: string) => boolean = () => false,
): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => send(socket));
    let text = '';
    const done = (): void => {
      socket.destroy();
      resolve(text);
    };
    socket.setEncoding('latin1').on('data', (chunk: string) => {
      text += chunk;
      if (enough(text)) done();
    });
    socket.on('close', done).on('error', (error: NodeJS.ErrnoException) => {
      // A reset after the answer is the listener closing on what it will not read.
      if (error.code === 'ECONNRESET' || error.code === 'EPIPE') done();
      else reject(error);
    });
  });
}

function statuses(text: string): number[] {
  return [...text.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status]) => Number(status));
}

describe('the listener and sockets that misbehave', () => {
  let rig: ListenerRig;
  beforeEach(async () => {
    rig = await new ListenerRig().start();
  });
  afterEach(() => rig.end());

  function head(requestId: string, body: string, extra: Record<string, string> = {}): string {
    const headers = { Host: 'x', ...rig.signed(requestId, body), ...extra };
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
    return `POST / HTTP/1.1\r\n${lines.join('')}\r\n`;
  }
  const whole = (requestId: string, body: string): string =>
    head(requestId, body, { 'Content-Length': String(body.length) }) + body;

  /** Shows that it still takes deliveries; `kept` is how many it has kept with this one. */
  async function assertAlive(kept: number): Promise<void> {
    assert.equal((await rig.deliver('alive')).status, 200);
    assert.equal(rig.list().length, kept);
  }

  it('answers pipelined requests, each in its turn', async () => {
    const sent = ['r-1', 'r-2', 'r-3'].map((id) => whole(id, `{"run_id":"${id}"}`)).join('');
    const text = await exchange(
      rig.port,
      (socket) => socket.write(sent),
      (so) => statuses(so).length === 3,
    );
    assert.deepEqual(statuses(text), [200, 200, 200]);
    const kept = rig.list().map(({ runId, verdict }) => [runId, verdict]);
    assert.deepEqual(kept, [
      ['r-3', 'verified'],
      ['r-2', 'verified'],
      ['r-1', 'verified'],
    ]);
  });

  it('takes a body that comes byte by byte, and one in chunks', async () => {
    const body = '{"run_id":"slow"}';
    const slowly = async (socket: Socket, text: string): Promise<void> => {
      for (const byte of text) {
        socket.write(byte);
        await new Promise(setImmediate);
      }
    };
    const one = await exchange(
      rig.port,
      (socket) => void slowly(socket, whole('r-1', body)),
      (so) => statuses(so).length === 1,
    );
    assert.deepEqual(statuses(one), [200]);
    const chunks = `${head('r-2', body, { 'Transfer-Encoding': 'chunked' })}5\r\n{"run\r\nc\r\n_id":"slow"}\r\n0\r\n\r\n`;
    const two = await exchange(
      rig.port,
      (socket) => void slowly(socket, chunks),
      (so) => statuses(so).length === 1,
    );
    assert.deepEqual(statuses(two), [200]);
    assert.ok(rig.list().every(({ verdict }) => verdict === 'verified'));
  });

  it('says 100 Continue where it will take the body, and 413 at once where it will not', async () => {
    const body = '{}';
    const expects = { Expect: '100-continue' };
    const taken = await exchange(
      rig.port,
      (socket) => {
        socket.write(head('r-1', body, { ...expects, 'Content-Length': '2' }));
        socket.once('data', () => socket.write(body));
      },
      (so) => statuses(so).length === 2,
    );
    assert.deepEqual(statuses(taken), [100, 200]);
    const large = { ...expects, 'Content-Length': '99999999' };
    const refused = await exchange(
      rig.port,
      (socket) => socket.write(head('r-2', body, large)),
      (so) => statuses(so).length === 1,
    );
    assert.deepEqual(statuses(refused), [413]);
    assert.equal(rig.list().length, 1);
  });

  it('keeps nothing of a body that is shorter than its Content-Length', async () => {
    const text = await exchange(rig.port, (socket) =>
      socket.end(head('r-1', '{}', { 'Content-Length': '9' }) + '{}'),
    );
    assert.ok(!statuses(text).includes(200), text);
    await assertAlive(1);
  });

  it('lets go of an endless body that is too large', async () => {
    const chunk = `10000\r\n${'x'.repeat(0x10000)}\r\n`;
    const text = await exchange(rig.port, (socket) => {
      socket.write(head('r-1', '{}', { 'Transfer-Encoding': 'chunked' }));
      const more = (): void => {
        while (!socket.destroyed && socket.write(chunk));
      };
      socket.on('drain', more);
      more();
    });
    assert.deepEqual(statuses(text), [413]);
    await assertAlive(1);
  });

  for (const [what, extra, framed] of [
    ['that it has announced', { 'Content-Length': String(12 << 20) }, (part: Buffer) => part],
    [
      'in chunks',
      { 'Transfer-Encoding': 'chunked' },
      (part: Buffer) => Buffer.from(`${part.length.toString(16)}\r\n${part.toString()}\r\n`),
    ],
  ] as const) {
    it(`says 413 to a slow sender that reads once it has written all of 12 MiB ${what}`, async () => {
      const text = await exchange(
        rig.port,
        (socket) => {
          socket.pause().write(head('r-1', '{}', extra));
          const parts = Array.from({ length: 12 }, () => framed(Buffer.alloc(1 << 20, 'x')));
          const next = (): void => {
            const part = parts.shift();
            if (part === undefined) socket.resume();
            else socket.write(part, () => setTimeout(next, 80));
          };
          next();
        },
        (so) => statuses(so).length === 1,
      );
      assert.deepEqual(statuses(text), [413]);
      await assertAlive(1);
    });
  }

  const refused: [string, string][] = [
    ['an HTTP/2 preface', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
    ['a TLS hello', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03'],
    [
      'both a length and chunks',
      'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    ],
    ['two lengths', 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}x'],
    ['a length that is no number', 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 0x2\r\n\r\n{}'],
    ['a space before the colon', 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length : 2\r\n\r\n{}'],
    ['a folded header', 'POST / HTTP/1.1\r\nHost: x\r\nX-A: 1\r\n 2: 3\r\nContent-Length: 2\r\n\r\n{}'],
    ['a line feed alone', 'POST / HTTP/1.1\nHost: x\nContent-Length: 2\n\n{}'],
    ['no host', 'POST / HTTP/1.1\r\nConnection: close\r\nContent-Length: 2\r\n\r\n{}'],
    ['a header bomb', `POST / HTTP/1.1\r\nHost: x\r\n${'X-A: b\r\n'.repeat(20_000)}\r\n`],
    ['one endless header', `POST / HTTP/1.1\r\nHost: x\r\nX-A: ${'b'.repeat(100_000)}`],
    ['CONNECT', 'CONNECT example.test:443 HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['no HTTP at all', 'hello\r\n\r\n'],
  ];
  for (const [what, bytes] of refused) {
    it(`refuses ${what} and goes on`, async () => {
      const text = await exchange(rig.port, (socket) => socket.write(bytes, 'latin1'));
      assert.ok(
        statuses(text).every((status) => status >= 400 && status < 500),
        text,
      );
      await assertAlive(1);
    });
  }

  it('takes a request that would like to upgrade as the request that it is', async () => {
    const upgrade = head('r-1', '{}', { 'Content-Length': '2', Connection: 'Upgrade', Upgrade: 'websocket' });
    const text = await exchange(
      rig.port,
      (socket) => socket.write(`${upgrade}{}`),
      (so) => statuses(so).length === 1,
    );
    assert.deepEqual(statuses(text), [200]);
    await assertAlive(2);
  });

  it('closes on a sender that is too slow, with its headers or with its body, without a response', async () => {
    const impatient = await new ListenerRig({ limits: { headers: 100, request: 200, check: 20 } }).start();
    try {
      for (const start of ['', 'POST / HTTP/1.1\r\nHost:', head('r-1', '{}', { 'Content-Length': '2' })]) {
        const text = await exchange(impatient.port, (socket) => socket.write(start));
        assert.equal(text, '', start);
      }
      assert.deepEqual(impatient.list(), []);
    } finally {
      await impatient.end();
    }
  });

  it('takes a delivery beside 5,000 connections that say nothing, and keeps no more than 4,096', async () => {
    const strangers = new HostileClients(rig.port);
    try {
      for (let batch = 1; batch <= 10; batch += 1) {
        strangers.connect(500);
        await waitFor('500 more', () => strangers.openBetween(500 * (batch - 1), 500 * batch) > 400);
      }
      await waitFor('the end of the first of them', () => strangers.open === 4096);
      await assertAlive(1);
    } finally {
      strangers.disconnect();
    }
  });
});
