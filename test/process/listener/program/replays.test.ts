import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import type { Attempt } from '../../../../src/contract/delivery.ts';
import { lastTelling } from '../../../../src/deliveries/keptDelivery.ts';
import { verify } from '../../../../src/service/signature/signature.ts';
import { processSecret } from '../../../support/listener/listenerProcess.ts';
import { ProgramWindows, type TestWindow } from '../../../support/listener/programWindows.ts';
import { Receiver } from '../../../support/http/receiver.ts';
import { waitFor } from '../../../support/time/waitFor.ts';

describe('a delivery that is sent again', () => {
  let windows: ProgramWindows;
  let app: Receiver;
  let one: TestWindow;
  let other: TestWindow;
  let id: string;
  let port: number;
  beforeEach(async () => {
    windows = new ProgramWindows();
    app = await Receiver.start();
    const settings = { forwardTo: `${app.url}/` };
    [one, other] = [await windows.open({ settings }), await windows.open({ settings })];
    ({ port } = await one.peer.call.listen({ port: 0 }));
    app.behaviours = [500];
    await windows.sender(port).deliver('r-1', '{}');
    id = (await told(other, 1)).id;
  });
  afterEach(async () => {
    await windows.end();
    await app.close();
  });

  const told = (window: TestWindow, count: number) =>
    waitFor(`${count} attempts`, () =>
      window.told.findLast(({ attempts = [] }) => attempts.length === count),
    );
  const replay = (to = `${app.url}/`, resign = false, sending: string = randomUUID()) =>
    one.peer.call.replay({ sending, id, to, resign });
  const last = async (count: number): Promise<Partial<Attempt>> => {
    const { attempts = [], forward } = await told(other, count);
    assert.deepEqual(forward, lastTelling(attempts));
    return { ...attempts.at(-1) };
  };

  it('is an attempt that all windows are told of, and its answer is given whole', async () => {
    const text = `{"taken":"${'é'.repeat(20_000)}"}`;
    app.behaviours = [(_, response) => response.writeHead(201, { 'X-Job': '7' }).end(text)];
    const answer = await replay();
    assert.equal(answer.status, 201);
    assert.equal(answer.headers['x-job'], '7');
    assert.equal(answer.body, text);
    const { kind, status, to, answer: start } = await last(2);
    assert.deepEqual([kind, status, to], ['replay', 201, `${app.url}/`]);
    assert.equal(start, text.slice(0, 10 + Math.floor((1024 - 10) / 2)));
    assert.deepEqual(await one.peer.call.failed(), []);
    const [kept] = await one.peer.call.list({});
    assert.deepEqual(
      kept?.attempts?.map((attempt) => attempt.status),
      [500, 201],
    );
  });

  it('tells no secret that the handler writes, in the start of its response or where it failed', async () => {
    const text = `Error: ${processSecret} is wrong`;
    app.behaviours = [(_, response) => response.writeHead(500).end(text)];
    await replay();
    const { answer, at = '' } = await last(2);
    const place = { file: '/shop/handler.js', line: 1, message: text };
    await other.peer.call.noteFailure({ id, at, failedAt: { ...place, oneOf: [place] } });
    const failed = await waitFor('the failure', () =>
      other.told.findLast(({ attempts }) => attempts?.at(-1)?.failedAt),
    );
    const told = JSON.stringify([answer, failed, await one.peer.call.list({})]);
    assert.doesNotMatch(told, new RegExp(processSecret));
    assert.match(told, /Error: .+ is wrong.*handler\.js/);
  });

  it('took as long for whoever sent it as for those who see its row: signing it is no part of that', async () => {
    app.otherwise = 200;
    await windows.sender(port).deliver('r-2', JSON.stringify('x'.repeat(8 * 1024 * 1024)));
    ({ id } = await waitFor('the forward', () =>
      other.told.find(({ bytes, forward }) => bytes > 100 && forward),
    ));
    const { durationMs } = await replay(undefined, true);
    assert.equal((await last(2)).durationMs, durationMs);
  });

  it('is seen to wait in the handler, since when it was sent, until that responds', async () => {
    const { promise, resolve } = Promise.withResolvers<undefined>();
    app.behaviours = [(_, response) => void promise.then(() => response.end())];
    const before = new Date().toISOString();
    const replayed = replay();
    const waiting = await waitFor('a window that is told', () =>
      other.told.findLast(({ waitingSince }) => waitingSince),
    );
    assert.equal(waiting.waitingSince! >= before, true);
    const { deliveries } = await other.peer.call.find({ filter: {}, limit: 9 });
    assert.equal(deliveries[0]?.waitingSince, waiting.waitingSince);
    resolve(undefined);
    await replayed;
    await waitFor('its end', () => other.told.at(-1)?.isForwarding !== true);
    assert.equal((await last(2)).status, 200);
    // What comes back to the listener is no attempt, and is over all the same.
    await one.peer.call.setNextResponses({ response: 'hang', times: 1 });
    const told = other.told.length;
    const toItself = replay(`http://127.0.0.1:${port}/`, false, 'to-itself');
    await waitFor('it waits', () => other.told.slice(told).some(({ waitingSince }) => waitingSince));
    await one.peer.call.stopSending({ sending: 'to-itself' });
    await assert.rejects(toItself);
    await waitFor('it is over', () => other.told.at(-1)?.isForwarding !== true);
  });

  it('is seen to wait as long as one of several is with the handler', async () => {
    const held: (() => void)[] = [];
    app.behaviours = [0, 1].map(() => (_, response) => held.push(() => response.end()));
    const both = [replay(), replay()];
    const end = (index: number) => waitFor('the request', () => held[index]).then((release) => release());
    await waitFor('both to wait', () => held.length === 2);
    await waitFor('a window that is told', () => other.told.at(-1)?.waitingSince);
    await end(0);
    await Promise.race(both);
    await told(other, 2);
    assert.equal((await last(2)).status, 200);
    assert.equal(other.told.at(-1)?.isForwarding, true);
    await end(1);
    await Promise.all(both);
    await waitFor('the end of both', () => other.told.at(-1)?.isForwarding !== true);
  });

  it('gives no more than 64 KB of an answer, and nothing of what is no text', async () => {
    app.behaviours = [(_, response) => response.end('a'.repeat(100_000))];
    assert.equal((await replay()).body.length, 64 * 1024);
    app.behaviours = [(_, response) => response.end(gzipSync('text'))];
    assert.equal((await replay()).body, '');
  });

  it('has what was answered each time, which windows ask for', async () => {
    app.behaviours = [(_, response) => response.writeHead(201, { 'X-Job': '7' }).end('{"taken":true}')];
    await replay();
    const { attempts = [] } = await told(other, 2);
    const [first, second] = await Promise.all(attempts.map(({ at }) => other.peer.call.answer({ id, at })));
    assert.deepEqual([first?.body, first?.bytes], ['', 0]);
    assert.deepEqual([second?.body, second?.bytes], ['{"taken":true}', 14]);
    const at = second?.rawHeaders.indexOf('X-Job') ?? -1;
    assert.equal(second?.rawHeaders[at + 1], '7');
    assert.equal(await other.peer.call.answer({ id, at: '2026-01-01T00:00:00.000Z' }), null);
    app.behaviours = [(_, response) => response.end(Buffer.alloc(100_000, 0xff))];
    await replay();
    const last = (await told(other, 3)).attempts?.at(-1);
    const binary = await other.peer.call.answer({ id, at: last?.at ?? '' });
    assert.deepEqual([binary?.bodyEncoding, binary?.bytes], ['base64', 100_000]);
    assert.equal(Buffer.from(binary?.body ?? '', 'base64').length, 64 * 1024);
  });

  it('is an attempt too where nobody answers', async () => {
    app.behaviours = ['drop'];
    await assert.rejects(replay(), /Your handler at \S+ disconnected\./);
    const { kind, error, status } = await last(2);
    assert.deepEqual([kind, error, status], ['replay', 'ECONNRESET', undefined]);
    assert.deepEqual(await one.peer.call.failed(), [id]);
  });

  it('is an attempt too where it was broken off', async () => {
    app.behaviours = ['hang'];
    const sent = replay(undefined, false, 'this');
    await app.count(2);
    await one.peer.call.stopSending({ sending: 'this' });
    await assert.rejects(sent, /Cancelled/);
    assert.equal((await last(2)).error, 'ECANCELED');
    // It says nothing of the handler: the outcome before it stays.
    const { forward } = await told(other, 2);
    assert.equal(forward?.status, 500);
  });

  it('is broken off alone: another of the same window stays with the handler', async () => {
    const { promise, resolve } = Promise.withResolvers<undefined>();
    app.behaviours = ['hang', (_, response) => void promise.then(() => response.end())];
    const sent = replay(undefined, false, 'this');
    await app.count(2);
    const another = replay(undefined, false, 'another');
    await app.count(3);
    await one.peer.call.stopSending({ sending: 'this' });
    await assert.rejects(sent, /Cancelled/);
    resolve(undefined);
    assert.equal((await another).status, 200);
  });

  it('is broken off where its window leaves', async () => {
    app.behaviours = ['hang'];
    const sent = replay();
    await app.count(2);
    one.peer.close();
    await assert.rejects(sent);
    assert.equal((await last(2)).error, 'ECANCELED');
  });

  it('is broken off likewise where it is made here', async () => {
    await one.peer.call.setNextResponses({ response: 'hang', times: 3 });
    const body = Buffer.from('{}').toString('base64');
    const sending = 'this';
    const run = { run: 'run-1', appName: 'echo', body, secret: processSecret };
    const made = one.peer.call.deliverHere({ sending, ...run });
    await waitFor('its arrival', () => other.told.some(({ madeHere }) => madeHere));
    await one.peer.call.stopSending({ sending });
    await assert.rejects(made, /Cancelled/);
  });

  it('says that it was signed anew', async () => {
    await replay(undefined, true);
    assert.equal((await last(2)).kind, 'signedAnew');
  });

  it('says that it was edited, and is still refused: what was taken is another to the app', async () => {
    app.behaviours = [200, 200];
    const edit = { body: '{"n":2}', headers: { 'X-Request-Id': 'r-9', 'Content-Length': '1', 'x-new': 'ü' } };
    await one.peer.call.replay({ sending: randomUUID(), id, to: `${app.url}/`, resign: false, edit });
    const [first, unsigned] = await app.count(2);
    assert.equal(unsigned!.body.toString(), '{"n":2}');
    assert.equal(unsigned!.headers['content-length'], '7');
    assert.equal(unsigned!.headers['x-request-id'], 'r-9');
    assert.equal(unsigned!.headers['x-new'], 'ü');
    const signature = 'x-service-webhook-signature';
    assert.equal(
      unsigned!.headers[signature],
      first!.headers[signature],
      'the one that came, which does not fit',
    );
    assert.equal((await last(2)).kind, 'edited');
    assert.deepEqual(await one.peer.call.failed(), [id]);
    await one.peer.call.replay({ sending: randomUUID(), id, to: `${app.url}/`, resign: true, edit });
    const signed = (await app.count(3)).at(-1)!;
    assert.equal(
      verify(signed.headers, signed.body, [processSecret], Date.now() / 1000, 300).verdict,
      'verified',
    );
    assert.equal((await last(3)).kind, 'edited');
  });

  it('says that it went without a signature', async () => {
    const headers = { 'X-Service-Webhook-Signature': null, 'X-Service-Webhook-Timestamp': null };
    await one.peer.call.replay({
      sending: randomUUID(),
      id,
      to: `${app.url}/`,
      resign: false,
      edit: { headers },
    });
    const [, sent] = await app.count(2);
    assert.equal(sent!.headers['x-service-webhook-signature'], undefined);
    assert.equal((await last(2)).kind, 'unsigned');
    assert.deepEqual(await one.peer.call.failed(), [id]);
  });

  it('is not sent where it was edited to more than a delivery may have', async () => {
    const edit = { body: 'a'.repeat((10 << 20) + 1) };
    const sent = one.peer.call.replay({ sending: randomUUID(), id, to: `${app.url}/`, resign: false, edit });
    await assert.rejects(sent, /bytes\. A delivery may have at most/);
    assert.equal((await app.count(1)).length, 1);
  });

  it('goes to the local app where it was forwarded to, path and all', async () => {
    await windows.sender(port).deliver('r-2', '{}', '/hook?x=1');
    const second = await waitFor('the second', () =>
      other.told.find(({ requestId, forward }) => requestId === 'r-2' && forward !== undefined),
    );
    ({ id } = second);
    await replay();
    assert.deepEqual(
      (await app.count(3)).map(({ path }) => path),
      ['/', '/hook?x=1', '/hook?x=1'],
    );
  });

  it('is no attempt where it goes to the listener itself, which nobody took there yet', async () => {
    for (const host of ['127.0.0.1', '[::ffff:127.0.0.1]']) {
      const { status } = await replay(`http://${host}:${port}/`);
      assert.equal(status, 200);
      const all = await one.peer.call.list({});
      assert.equal(all[0]?.repeatOf, id);
      assert.equal(all.at(-1)?.attempts?.length, 1);
    }
  });
});
