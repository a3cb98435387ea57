import assert from 'node:assert/strict';
import * as http from 'node:http';
import { ForwardQueue } from '../../../src/listener/forwarding/forwardQueue.ts';
import { ListenerRig } from '../../support/listener/listenerRig.ts';
import { Receiver } from '../../support/http/receiver.ts';
import { waitFor } from '../../support/time/waitFor.ts';

describe('forwarding', () => {
  let rig: ListenerRig;
  let app: Receiver;
  beforeEach(async () => {
    rig = await new ListenerRig().start();
    app = await Receiver.start();
    rig.configure({ forwardTo: app.url });
  });
  afterEach(async () => {
    await rig.end();
    await app.close();
  });

  it('forwards the same bytes, method, path and headers, but those of the connection', async () => {
    const body = Buffer.from([0xef, 0xbb, 0xbf, 0x7b, 0x20, 0x7d, 0xff, 0x0a]);
    const signed = rig.signed('r-1', body);
    const headers = {
      ...signed,
      'X-Twice': 'a, b',
      Connection: 'keep-alive, X-Mine',
      'X-Mine': '1',
    };
    await rig.send(body, headers, { path: '/hook?x=1&y=%20' });
    const [got] = await app.count(1);
    assert.deepEqual(got?.body, body);
    assert.equal(got.method, 'POST');
    assert.equal(got.path, '/hook?x=1&y=%20');
    assert.equal(got.headers['x-service-webhook-signature'], signed['X-Service-Webhook-Signature']);
    assert.equal(got.headers['x-twice'], 'a, b');
    assert.equal(got.headers['x-mine'], undefined);
    assert.equal(got.headers.host, new URL(app.url).host);
  });

  it('forwards the headers of a delivery, although it names them as those of its connection', async () => {
    const body = '{"a":1}';
    const headers = {
      ...rig.signed('r-1', body),
      'Content-Type': 'application/json',
      Authorization: 'Basic eA==',
    };
    const names = Object.keys(headers).map((name) => name.toLowerCase());
    await rig.send(body, {
      ...headers,
      Connection: ['close', names.join(' ,'), names.join(',').toUpperCase()],
    });
    const [got] = await app.count(1);
    for (const [name, value] of Object.entries(headers))
      assert.equal(got?.headers[name.toLowerCase()], value);
  });

  it('keeps path and query of a request target in absolute form', async () => {
    const target = 'http://listener.example/hook/runhook/echo?x=1';
    await rig.send('{}', rig.signed('r-1', Buffer.from('{}')), { path: target });
    const [got] = await app.count(1);
    assert.equal(got?.path, '/hook?x=1');
    assert.equal(rig.list()[0]?.appName, 'echo');
  });

  it('answers before the local app does, and notes what it answered', async () => {
    const release = hold(app);
    assert.equal((await rig.deliver('r-1')).status, 200);
    await app.count(1);
    assert.equal(rig.list()[0]?.forward, undefined);
    release(500);
    await waitFor('the status of the app', () => rig.list()[0]?.forward?.status === 500);
  });

  it('notes the start of what the local app answers, where it is text', async () => {
    const forwarded = async (requestId: string, answer: string | Uint8Array): Promise<string | undefined> => {
      app.otherwise = (_, response) => response.end(answer);
      await rig.deliver(requestId);
      const forward = await waitFor('the forward', () => rig.list(1)[0]?.forward);
      return forward.answer;
    };
    assert.equal(await forwarded('r-1', 'TypeError: x is undefined'), 'TypeError: x is undefined');
    assert.equal(await forwarded('r-2', ''), undefined);
    // The cut at 1,024 bytes goes through the last letter that would fit.
    assert.equal(await forwarded('r-3', `a${'é'.repeat(4000)}`), `a${'é'.repeat(511)}`);
    assert.equal(await forwarded('r-4', Buffer.from([0xff, 0xfe, 0x00])), undefined);
    const again = new ListenerRig({ folder: rig.folder });
    again.store.trim();
    const answers = again.list().map(({ forward }) => forward?.answer);
    assert.deepEqual(answers.at(-1), 'TypeError: x is undefined', 'the store keeps it');
    again.store.close();
  });

  it('does not wait for the end of an answer that has none', async () => {
    app.otherwise = (_, response) => response.writeHead(418).write('and so on');
    rig.configure({ forwardMode: 'passThrough' });
    assert.equal((await rig.deliver('r-1')).status, 418);
    assert.equal(rig.list()[0]?.forward?.answer, 'and so on');
  });

  it('passes the status of the local app through', async () => {
    rig.configure({ forwardMode: 'passThrough' });
    app.otherwise = 422;
    assert.equal((await rig.deliver('r-1')).status, 422);
    assert.equal(rig.list()[0]?.answered, 422);
  });

  it('gives no answer where it waits for the local app and that is down or breaks off, since that is repeated', async () => {
    rig.configure({ forwardMode: 'passThrough' });
    app.otherwise = 'drop';
    await assert.rejects(rig.deliver('r-1'), { code: 'ECONNRESET' });
    app.otherwise = 200;
    assert.equal((await rig.deliver('r-1')).status, 200, 'what was not taken is forwarded again');
    await app.close();
    await assert.rejects(rig.deliver('r-2'), { code: 'ECONNRESET' });
    const [down, repeat, first] = rig.list();
    assert.deepEqual(
      [first, repeat, down].map((one) => [one?.answered, one?.forward?.status, one?.forward?.error]),
      [
        [0, undefined, 'ECONNRESET'],
        [200, 200, undefined],
        [0, undefined, 'ECONNREFUSED'],
      ],
    );
    assert.equal(repeat?.repeatOf, first?.id);
    assert.equal(app.received.length, 2);
  });

  it('gives no answer where the status of the local app is none that a service knows, and goes on', async () => {
    rig.configure({ forwardMode: 'passThrough' });
    for (const [index, status] of ['099', '600', '999'].entries()) {
      app.otherwise = (request) => request.socket.end(`HTTP/1.1 ${status} Odd\r\nContent-Length: 0\r\n\r\n`);
      await assert.rejects(rig.deliver(`r-${index}`), { code: 'ECONNRESET' }, status);
      const [odd] = rig.list(1);
      assert.deepEqual([odd?.answered, odd?.forward?.status], [0, Number(status)]);
    }
    app.otherwise = 599;
    assert.equal((await rig.deliver('r-9')).status, 599);
  });

  it('says that it did not respond where the sender has gone before the local app answers', async () => {
    rig.configure({ forwardMode: 'passThrough' });
    const release = hold(app);
    const options = { port: rig.port, method: 'POST', headers: rig.signed('r-1', '{}'), agent: false };
    const sender = http.request({ host: '127.0.0.1', ...options }).on('error', () => undefined);
    sender.end('{}');
    await app.count(1);
    sender.destroy();
    await waitFor('the end of the connection', () => rig.listener.senders.connections === 0);
    release(200);
    await waitFor('the forward', () => rig.list()[0]?.forward?.status === 200);
    assert.equal(rig.list()[0]?.answered, 0);
  });

  it('forwards what verifies alone, unless all is accepted', async () => {
    await rig.send('{}', rig.signed('r-1', 'other'));
    rig.configure({ acceptUnverified: true });
    await rig.send('{}', rig.signed('r-2', 'other'));
    const [got] = await app.count(1);
    assert.equal(got?.headers['x-request-id'], 'r-2');
  });

  it('forwards what verifies alone, although it is answered with 200', async () => {
    rig.listener.setNextResponses({ response: 200, times: 1 });
    assert.equal((await rig.send('{}', rig.signed('r-1', 'other'))).status, 200);
    await rig.deliver('r-2');
    const [got] = await app.count(1);
    assert.equal(got?.headers['x-request-id'], 'r-2');
  });

  it('does not forward again what the local app took', async () => {
    await rig.deliver('r-1');
    await waitFor('the first forward', () => rig.list()[0]?.forward?.status === 200);
    await rig.deliver('r-1');
    await rig.deliver('r-2');
    const got = await app.count(2);
    assert.deepEqual(
      got.map(({ headers }) => headers['x-request-id']),
      ['r-1', 'r-2'],
    );
  });

  it('hands a repeat on where the local app failed before; once it took one, no more', async () => {
    app.otherwise = 500;
    await rig.deliver('r-1');
    await waitFor('the failed forward', () => rig.list()[0]?.forward?.status === 500);
    app.otherwise = 204;
    await rig.deliver('r-1');
    await waitFor('the forward of the repeat', () => rig.list()[0]?.forward?.status === 204);
    await rig.deliver('r-1');
    await rig.deliver('r-2');
    assert.equal((await app.count(3))[2]?.headers['x-request-id'], 'r-2');
    await waitFor('the forward of r-2', () => rig.list(1)[0]?.forward);
    const taken = rig.told().filter(({ wasTaken }) => wasTaken);
    assert.deepEqual(
      taken.map(({ id }) => id),
      ['d-3'],
    );
  });

  it('lets a repeat wait for the one that is under way', async () => {
    rig.configure({ forwardMode: 'passThrough' });
    const release = hold(app);
    const first = rig.deliver('r-1');
    await app.count(1);
    const repeat = rig.deliver('r-1');
    await waitFor('the repeat', () => rig.list().length === 2);
    assert.deepEqual(
      rig.list().map(({ answered }) => answered),
      [0, 0],
      'the service has no answer yet',
    );
    release(202);
    assert.equal((await first).status, 202);
    assert.equal((await repeat).status, 202);
    assert.equal(app.received.length, 1);
  });

  it('forwards no more than 64 MB at a time: a small one does not wait for a large one, and each gets its turn', async () => {
    const release = hold(app);
    await rig.deliver('r-0');
    const delivery = rig.store.kept(rig.list()[0]?.id ?? '');
    await app.count(1);
    const order: string[] = [];
    const queue = new ForwardQueue({
      kept: (id) => {
        order.push(id);
        return delivery;
      },
      note: () => undefined,
      acceptedStatus: () => undefined,
    });
    const forward = (id: string, megabytes: number): Promise<unknown> =>
      queue.push({ id, repeatOf: undefined, bytes: megabytes << 20 }, app.url);
    const all = [forward('a', 60), forward('b', 60), forward('small', 1), forward('larger than all', 100)];
    await app.count(3);
    assert.deepEqual(order, ['a', 'small']);
    release(200);
    await Promise.all(all);
    assert.deepEqual(order, ['a', 'small', 'b', 'larger than all']);
  });

  it('tells which deliveries the local app has yet to answer to', async () => {
    const release = hold(app);
    rig.configure({ acceptUnverified: true });
    await rig.send('{}', rig.signed('r-1', 'other'));
    // What the host sends while strangers reach the listener, whatever the setting says.
    rig.configure({ acceptUnverified: false, isPublic: true });
    rig.listener.setNextResponses({ response: 200, times: 1 });
    await rig.send('{}', rig.signed('r-2', 'other'));
    await rig.deliver('r-3');
    await rig.deliver('r-3');
    const isForwarding = (): boolean[] =>
      rig
        .list()
        .reverse()
        .map(({ id }) => rig.listener.forwardQueue.isUnderWay(id));
    assert.deepEqual(isForwarding(), [true, false, true, true]);
    release(200);
    await waitFor('all answers', () => isForwarding().every((one) => !one));
  });

  it('survives an app that resets the connection', async () => {
    const resetting = http.createServer((request) => request.socket.destroy());
    await new Promise<void>((resolve) => resetting.listen(0, '127.0.0.1', resolve));
    const { port } = resetting.address() as { port: number };
    rig.configure({ forwardTo: `http://127.0.0.1:${port}` });
    assert.equal((await rig.deliver('r-1')).status, 200);
    await waitFor('the reason', () => rig.list()[0]?.forward?.error === 'ECONNRESET');
    resetting.close();
  });
});

/** Keeps the answers back until it is called. */
function hold(app: Receiver): (status: number) => void {
  const held: http.ServerResponse[] = [];
  app.otherwise = (_, response) => held.push(response);
  return (status) => {
    app.otherwise = status;
    for (const response of held) response.writeHead(status).end();
  };
}
