import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { channelOf, joinHeader, mostRelayedBytes } from '../../../src/deliveries/relayProtocol.ts';
import { jetstreamManager } from '@nats-io/jetstream';
import { connect as connectNats } from '@nats-io/transport-node';
import { hasNats, NatsServer } from '../../support/relay/natsServer.ts';
import { type RunningRelay, startRelay, TestChannel, textOf } from '../../support/relay/relayRig.ts';
import { startSlowLine } from '../../support/relay/slowLine.ts';
import { waitFor } from '../../support/time/waitFor.ts';

const noNats = hasNats ? '' : ' (not run: this machine has no nats-server)';

/** A test that is pending where the engine cannot be had. */
const itWithNats = (title: string, test: () => Promise<void>) => (hasNats ? it(title, test) : it(title));

describe(`the relay${noNats}`, () => {
  let nats: NatsServer;
  let running: RunningRelay;
  let channel: TestChannel;
  const limits = { keptMost: 5, ackMs: 2000, takeMs: 1500 };
  const relays: RunningRelay[] = [];
  const start = async (...options: Parameters<typeof startRelay>) => {
    const started = await startRelay(...options);
    relays.push(started);
    return started;
  };

  before(async function () {
    this.timeout(60_000);
    if (!hasNats) return;
    nats = await NatsServer.start();
    running = await start([nats.url], { limits });
    channel = await TestChannel.open(running.url);
  });
  after(async () => {
    await Promise.all(relays.map(({ relay }) => relay.end()));
    if (hasNats) await nats.remove();
  });

  itWithNats('keeps a post as it came until it is acknowledged, and hands it over once', async () => {
    const body = Buffer.from('{"text": "é\\u0000 "}\n');
    const headers = { 'x-request-id': 'r-1', 'x-odd': 'caf\u00e9' };
    assert.equal(await channel.post(body, 'runhook/hello?a=%20b', headers), 200);
    const [one] = await channel.read(1, { acknowledges: false });
    assert.ok(one);
    assert.deepEqual(Buffer.from(one.body, 'base64'), body);
    assert.deepEqual([one.method, one.path], ['POST', '/runhook/hello?a=%20b']);
    const odd = one.rawHeaders.findIndex((name) => name.toLowerCase() === 'x-odd');
    assert.equal(one.rawHeaders[odd + 1], 'caf\u00e9');
    assert.ok(Math.abs(one.at - Date.now()) < 60_000);
    // Its reader has gone: the next one gets it again.
    const [again] = await channel.read(1);
    assert.deepEqual(again, one);
    assert.equal(await channel.post('next'), 200);
    assert.deepEqual((await channel.read(1)).map(textOf), ['next']);
  });

  itWithNats('hands over what a reader has left unread at once', async () => {
    const patient = await start([nats.url], { limits: { ...limits, ackMs: 3600_000 } });
    const own = await TestChannel.open(patient.url);
    assert.equal(await own.post('one'), 200);
    assert.equal(await channel.post('of another channel, since'), 200);
    const observer = await connectNats({ servers: nats.url });
    const { consumers } = await jetstreamManager(observer);
    const name = own.address.split('/').at(-2) ?? '';
    const leave = new AbortController();
    let got = 0;
    const reading = own.readAll(leave.signal, () => void (got += 1));
    const isAsked = async () => got === 1 && (await consumers.info('RUNHOOK', name)).num_waiting === 1;
    await waitFor('the question for the next one', isAsked);
    leave.abort();
    await reading;
    assert.deepEqual((await own.read(1)).map(textOf), ['one']);
    assert.equal((await channel.read(1)).length, 1);
    await observer.close();
  });

  itWithNats('says to its readers that it is there, although nothing comes', async () => {
    const own = await TestChannel.open(running.url);
    const leave = new AbortController();
    const lines = own.lines(leave.signal)[Symbol.asyncIterator]();
    for (let beat = 0; beat < 2; beat += 1) assert.deepEqual((await lines.next()).value, { heartbeat: true });
    leave.abort();
  });

  itWithNats('keeps the path as it came, and reads no other call into it', async () => {
    const place = new URL(channel.address).pathname.slice(0, -1);
    const statusOf = async (target: string): Promise<string> => {
      const socket = connect(running.relay.port, '127.0.0.1');
      socket.write(`POST ${target} HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n`);
      const [head] = (await once(socket, 'data')) as [Buffer];
      socket.destroy();
      return head.toString().slice(9, 12);
    };
    const paths = ['', '?a=1', '/a/../b/./%2e%2E//c', '/"<>|^`{}\\#?#'];
    for (const path of paths) {
      assert.equal(await statusOf(`${place}${path}`), '200', path);
      const [one] = await channel.read(1);
      assert.equal(one?.path, path.startsWith('/') ? path : `/${path}`);
    }
    // A proxy that passes on what begins with /in/ alone means this and no more.
    for (const path of ['/in/../v1/acks', '/in/%2e%2e/v1/acks', `/x/..${place}/`, `/in\\${place.slice(4)}/`])
      assert.equal(await statusOf(path), '404', path);
  });

  itWithNats('keeps what the service repeats within two minutes once, where it is signed', async () => {
    const signed = {
      'x-request-id': 'r-2',
      'x-service-webhook-timestamp': '1790000000',
      'x-service-webhook-signature': `v1,${'0'.repeat(64)}`,
    };
    for (const body of ['one', 'one', 'two']) assert.equal(await channel.post(body, '', signed), 200);
    for (const body of ['alike', 'alike']) assert.equal(await channel.post(body), 200);
    assert.deepEqual((await channel.read(4)).map(textOf), ['one', 'two', 'alike', 'alike']);
  });

  itWithNats('takes bodies of 11 MiB, and refuses what is larger', async () => {
    const body = new Uint8Array(mostRelayedBytes).fill(7);
    assert.equal(await channel.post(body), 200);
    const [one] = await channel.read(1);
    assert.equal(Buffer.compare(Buffer.from(one?.body ?? '', 'base64'), body), 0);
    assert.equal(await channel.post(new Uint8Array(mostRelayedBytes + 1)), 413);
  });

  itWithNats(
    'answers a guessed channel with 404, a web page with 403, and other methods with 405',
    async () => {
      const guessed = new TestChannel(running.url);
      guessed.address = `${running.url}/in/${'a'.repeat(26)}/`;
      assert.equal(await guessed.post('x'), 404);
      const headers = { origin: 'https://example.com' };
      assert.equal(await channel.post('x', '', headers), 403);
      assert.equal((await channel.call('DELETE', '/v1/channel', { headers })).status, 403);
      assert.equal((await fetch(channel.address)).status, 405);
    },
  );

  itWithNats('asks for no body that would come to a guessed channel', async () => {
    const answerOf = async (path: string): Promise<string> => {
      const socket = connect(running.relay.port, '127.0.0.1');
      const head = `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nExpect: 100-continue\r\n\r\n`;
      socket.write(head);
      const [first] = (await once(socket, 'data')) as [Buffer];
      socket.destroy();
      return first.toString().slice(9, 12);
    };
    assert.equal(await answerOf(`/in/${channelOf(randomBytes(32))}/`), '404');
    assert.equal(await answerOf(new URL(channel.address).pathname), '100');
  });

  itWithNats('takes posts for a channel that it has not seen yet beside a flood of guesses', async () => {
    // It was opened at another relay.
    const second = await start([nats.url], { limits });
    const own = await TestChannel.open(second.url);
    own.address = own.address.replace(second.url, running.url);
    await nats.stop();
    let answered = 0;
    const guesses = Array.from({ length: 500 }, async () => {
      const guessed = new TestChannel(running.url);
      guessed.address = `${running.url}/in/${channelOf(randomBytes(32))}/`;
      const status = await guessed.post('x');
      answered += 1;
      return status;
    });
    let posted: Promise<number | undefined>;
    try {
      await waitFor('the guesses', () => answered + running.relay.underWay >= 500);
      posted = own.post('mine');
      await waitFor('the post', () => answered + running.relay.underWay >= 501);
    } finally {
      nats.goOn();
    }
    assert.equal(await posted, 200);
    assert.deepEqual(new Set(await Promise.all(guesses)), new Set([404]));
    assert.deepEqual((await own.read(1)).map(textOf), ['mine']);
  });

  itWithNats('shows a channel to the holder of its key alone', async () => {
    const stranger = new TestChannel(running.url);
    assert.equal((await stranger.call('GET', '/v1/deliveries')).status, 404);
    assert.equal((await stranger.call('POST', '/v1/acks', { body: '{"seqs":[1]}' })).status, 404);
    assert.equal((await stranger.call('DELETE', '/v1/channel')).status, 404);
    for (const key of ['', 'abc', channel.address.slice(-27, -1)]) {
      const wrong = new TestChannel(running.url, key);
      assert.equal((await wrong.call('GET', '/v1/deliveries')).status, 401);
      assert.equal(await wrong.open(), 401);
    }
  });

  itWithNats('lets nobody acknowledge what is in the channel of somebody else', async () => {
    const [own, stranger] = await Promise.all([1, 2].map(() => TestChannel.open(running.url)));
    assert.ok(own && stranger);
    for (const text of ['one', 'two']) assert.equal(await own.post(text), 200);
    const leave = new AbortController();
    const reading = own.lines(leave.signal)[Symbol.asyncIterator]();
    while (!('seq' in ((await reading.next()).value as object)));
    await stranger.acknowledge(Array.from({ length: 5000 }, (_, seq) => seq));
    leave.abort();
    const read = new Set<string>();
    const next = new AbortController();
    const all = own.readAll(next.signal, (delivery) => void read.add(textOf(delivery)));
    await waitFor('both', () => read.size === 2);
    next.abort();
    await all;
  });

  itWithNats('takes the acknowledgement of a reader that has just left, also at another relay', async () => {
    const second = await start([nats.url], { limits });
    const own = await TestChannel.open(running.url);
    assert.equal(await own.post('one'), 200);
    const [one] = await own.read(1, { acknowledges: false });
    await waitFor('the reader to leave', () => running.log.at(-1)?.event === 'reader left');
    await new TestChannel(second.url, own.key).acknowledge([one?.seq ?? 0]);
    assert.equal(await own.post('two'), 200);
    assert.deepEqual((await own.read(1)).map(textOf), ['two']);
  });

  itWithNats('leaves a reader that acknowledges nothing, and others get what it got', async () => {
    const own = await TestChannel.open(running.url);
    assert.equal(await own.post('one'), 200);
    const got: string[] = [];
    await assert.rejects(
      own.readAll(new AbortController().signal, (delivery) => void got.push(textOf(delivery))),
    );
    assert.ok(got.length > 0);
    assert.deepEqual((await own.read(1)).map(textOf), ['one']);
  });

  itWithNats('has a channel opened by members of the team alone, where it has a token', async () => {
    const team = await start([nats.url], {
      limits,
      joinToken: 'a token of the team',
      publicUrl: 'https://relay.example/hooks/',
    });
    const member = new TestChannel(team.url);
    for (const [headers, said] of [
      [{}, /needs the token of its team: send it as X-Runhook-Join/],
      [{ 'x-runhook-join': 'a token of the teaM' }, /is not the token of this relay's team/],
    ] as const) {
      const refused = await member.call('PUT', '/v1/channel', { headers });
      assert.equal(refused.status, 403);
      assert.match(await refused.text(), said);
    }
    assert.equal(await member.open({ 'x-runhook-join': 'a token of the team' }), 200);
    assert.match(member.address, /^https:\/\/relay\.example\/hooks\/in\/[a-z2-7]{26}\/$/);
    member.address = `${team.url}${new URL(member.address).pathname.replace('/hooks', '')}`;
    assert.equal(await member.post('x'), 200);
    assert.equal((await member.read(1)).length, 1);
  });

  itWithNats(
    'gives no answer to the channel that is full, while others go on, until it is read',
    async () => {
      const other = await TestChannel.open(running.url);
      const statuses = await Promise.all(Array.from({ length: 8 }, (_, at) => channel.post(`full ${at}`)));
      assert.equal(statuses.filter((status) => status === 200).length, 5);
      assert.equal(statuses.filter((status) => status === undefined).length, 3);
      assert.equal(await other.post('mine'), 200);
      assert.equal((await other.read(1)).length, 1);
      assert.equal((await channel.read(5)).length, 5);
      await waitFor('room in the channel', async () => (await channel.post('again')) === 200);
      assert.deepEqual((await channel.read(1)).map(textOf), ['again']);
    },
  );

  itWithNats('goes on beside a flood, 11 MiB bodies and a reader that never acknowledges', async () => {
    const [flooded, large, other] = await Promise.all([1, 2, 3].map(() => TestChannel.open(running.url)));
    assert.ok(flooded && large && other);
    const leave = new AbortController();
    const lazy = large.lines(leave.signal)[Symbol.asyncIterator]();
    await lazy.next();
    const body = new Uint8Array(mostRelayedBytes);
    const flood = [
      ...Array.from({ length: 300 }, () => flooded.post('x'.repeat(1000))),
      ...Array.from({ length: 12 }, () => large.post(body)),
    ];
    const served = Array.from({ length: 5 }, () => other.post('mine'));
    assert.deepEqual(await Promise.all(served), [200, 200, 200, 200, 200]);
    assert.equal((await other.read(5)).length, 5);
    const taken = (await Promise.all(flood)).filter((status) => status === 200).length;
    assert.ok(taken >= 5 && taken <= 10, `${taken} were taken`);
    leave.abort();
  });

  itWithNats('holds few large deliveries for slow readers: the others wait, and get small ones', async () => {
    // What comes again by itself comes after the test. The disk may be busy.
    const patient = await start([nats.url], { limits: { ...limits, takeMs: 60_000, ackMs: 3600_000 } });
    const channels = await Promise.all(Array.from({ length: 12 }, () => TestChannel.open(patient.url)));
    const body = new Uint8Array(mostRelayedBytes);
    for (const one of channels) assert.equal(await one.post(body), 200);
    // They read the beginning of what comes, as much as a socket does by itself.
    const slow = channels.map(({ key }) => {
      const socket = connect(patient.relay.port, '127.0.0.1');
      socket.write(`GET /v1/deliveries HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n\r\n`);
      return socket;
    });
    const served = () => slow.filter(({ bytesRead }) => bytesRead > 10_000);
    await waitFor('as many as have room', () => served().length >= 8);
    const small = await TestChannel.open(patient.url);
    for (const text of ['one', 'two', 'three']) {
      assert.equal(await small.post(text), 200);
      assert.deepEqual((await small.read(1)).map(textOf), [text]);
    }
    assert.equal(served().length, 8);
    for (const socket of served()) socket.destroy();
    await waitFor('the others', () => served().length === 12);
    for (const socket of slow) socket.destroy();
  });

  itWithNats('hands over what takes its time from the engine to the relay', async () => {
    const slow = await startSlowLine(new URL(nats.url), 1024 * 1024);
    const far = await start([slow.url], { limits: { ...limits, takeMs: 60_000, ackMs: 3600_000 } });
    const own = await TestChannel.open(far.url);
    const near = new TestChannel(running.url, own.key);
    near.address = own.address.replace(far.url, running.url);
    // The last two are asked for together, and no longer than the engine may take to say that there is nothing.
    const bodies = ['one', 'two', new Uint8Array(mostRelayedBytes)];
    for (const body of bodies) assert.equal(await near.post(body), 200);
    assert.equal((await own.read(3)).at(-1)?.body.length, Math.ceil(mostRelayedBytes / 3) * 4);
    await far.relay.end();
    await slow.end();
  });

  itWithNats('writes so few lines of each event a minute that nobody fills a disk with its log', async () => {
    const own = await start([nats.url], { limits, joinToken: 'the token of the team' });
    const full = new TestChannel(own.url);
    assert.equal(await full.open({ [joinHeader]: 'the token of the team' }), 200);
    const posts = Array.from({ length: 60 }, () => full.post('x'));
    const strangers = Array.from({ length: 60 }, () => new TestChannel(own.url).open());
    const calls = Array.from({ length: 60 }, () => full.call('POST', '/v1/acks', { body: '{' }));
    await Promise.all(posts);
    assert.deepEqual(new Set(await Promise.all(strangers)), new Set([403]));
    const statuses = (await Promise.all(calls)).map(({ status }) => status);
    assert.deepEqual(new Set(statuses), new Set([400]), 'a call that cannot be read is its caller’s fault');
    for (const event of ['channel full', 'join refused'])
      assert.equal(own.log.filter((entry) => entry.event === event).length, 20, event);
    await own.relay.end();
    const summary = own.log.find((entry) => entry.event === 'summary');
    assert.equal(summary?.['notLogged'], 75);
  });

  itWithNats('has eight readers of a channel at most: the one that came first leaves', async () => {
    const own = await TestChannel.open(running.url);
    const leave = new AbortController();
    const ended: number[] = [];
    for (let at = 0; at < 10; at += 1) {
      const lines = own.lines(leave.signal)[Symbol.asyncIterator]();
      await lines.next();
      void lines.next().then(
        ({ done }) => done === true && ended.push(at),
        () => undefined,
      );
    }
    await waitFor('the first two to leave', () => ended.length >= 2);
    assert.deepEqual(ended.sort(), [0, 1]);
    leave.abort();
  });

  itWithNats('opens so many channels as its engine has memory for, and goes on with those', async () => {
    const own = await NatsServer.start();
    try {
      const small = await start([own.url], { limits: { mostChannels: 2 } });
      const first = await TestChannel.open(small.url);
      await TestChannel.open(small.url);
      assert.equal(await new TestChannel(small.url).open(), 503);
      assert.equal(await first.open(), 200);
      assert.equal(await first.post('mine'), 200);
      // Also after a relay has started anew, which sets the stream up again.
      const next = await start([own.url], { limits: { mostChannels: 2 } });
      assert.equal(await new TestChannel(next.url).open(), 503);
      await relays.pop()?.relay.end();
    } finally {
      await relays.pop()?.relay.end();
      await own.remove();
    }
  });

  itWithNats('asks its engine once a second how it is, however many ask the relay', async () => {
    const observer = await connectNats({ servers: nats.url });
    let asked = 0;
    observer.subscribe('$JS.API.STREAM.INFO.RUNHOOK', { callback: () => void (asked += 1) });
    await observer.flush();
    const healths = Array.from({ length: 200 }, () => fetch(`${running.url}/healthz`));
    const statuses = (await Promise.all(healths)).map(({ status }) => status);
    assert.deepEqual(new Set(statuses), new Set([200]));
    await observer.drain();
    assert.ok(asked > 0 && asked <= 20, `${asked} times`);
  });

  itWithNats('lets go of what is older than it keeps, and closes what nobody reads', async () => {
    const own = await NatsServer.start();
    try {
      const short = await start([own.url], {
        limits: { keptMs: 1000, openMs: 2000, knownMs: 100, noteMs: 50 },
      });
      const left = await TestChannel.open(short.url);
      assert.equal(await left.post('old'), 200);
      await waitFor('the end of the channel', async () => (await left.post('later')) === 404);
      assert.equal((await left.call('GET', '/v1/deliveries')).status, 404);
      assert.equal(await left.open(), 200);
      const leave = new AbortController();
      const read: string[] = [];
      const reading = left.readAll(leave.signal, (delivery) => void read.push(textOf(delivery)));
      await waitFor('a new one', async () => (await left.post('new')) === 200 && read.includes('new'));
      leave.abort();
      await reading;
      assert.ok(!read.includes('old'));
    } finally {
      await relays.pop()?.relay.end();
      await own.remove();
    }
  });

  itWithNats('tells its reader how many were dropped by age, and how many found it full, once', async () => {
    const own = await NatsServer.start();
    const keptMs = 1500;
    const short = await start([own.url], { limits: { keptMs, keptMost: 3, knownMs: 100, noteMs: 50 } });
    const left = await TestChannel.open(short.url);
    for (const status of [200, 200, 200, undefined]) assert.equal(await left.post('old'), status);
    await waitFor('their end', async () => (await left.post('new')) === 200);
    const firstLosses = async () => {
      const leave = new AbortController();
      const told: object[] = [];
      for await (const one of left.lines(leave.signal)) {
        told.push(one);
        if ('seq' in one || told.length > 3) break;
      }
      leave.abort();
      return told.find((one): one is { losses: { aged: number; turnedAway: number } } => 'losses' in one)
        ?.losses;
    };
    const losses = await firstLosses();
    assert.equal(losses?.aged, 3);
    assert.ok(losses.turnedAway >= 1);
    await waitFor('another one', async () => (await left.post('newer')) === 200);
    assert.equal(await firstLosses(), undefined);
    await relays.pop()?.relay.end();
    await own.remove();
  });

  itWithNats(
    'gives no answer while the disk of its engine is full, keeps what it has taken, and goes on',
    async () => {
      const small = await NatsServer.start(6 * 1024 * 1024);
      const filled = await start([small.url], { limits: { takeMs: 500 } });
      const own = await TestChannel.open(filled.url);
      const statuses: (number | undefined)[] = [];
      for (let at = 0; at < 8; at += 1) statuses.push(await own.post(new Uint8Array(1024 * 1024)));
      const taken = statuses.filter((status) => status === 200).length;
      assert.ok(taken >= 3 && taken < 8, `${taken} were taken`);
      assert.equal(statuses.filter((status) => status === undefined).length, 8 - taken);
      assert.equal((await own.read(taken)).length, taken);
      await waitFor('room', async () => (await own.post('again')) === 200);
      assert.ok((await own.read(1)).length === 1);
      await relays.pop()?.relay.end();
      await small.remove();
    },
  );

  itWithNats('closes a channel with all that waits in it, when its owner says so', async () => {
    const closed = await TestChannel.open(running.url);
    assert.equal(await closed.post('x'), 200);
    assert.equal((await closed.call('DELETE', '/v1/channel')).status, 204);
    assert.equal(await closed.post('y'), 404);
    await closed.open();
    await waitFor('the channel', async () => (await closed.post('z')) === 200);
    assert.deepEqual((await closed.read(1)).map(textOf), ['z']);
  });

  itWithNats('ends with what is under way answered, and its readers let go', async () => {
    // The post waits for the engine for as long as this machine takes to look at it.
    const ending = await start([nats.url], { limits: { ...limits, takeMs: 60_000 } });
    const own = await TestChannel.open(ending.url);
    const lines = own.lines(new AbortController().signal)[Symbol.asyncIterator]();
    await lines.next();
    // A request of which half has arrived is not answered; one that is whole is.
    const half = connect(ending.relay.port, '127.0.0.1');
    half.write(`POST ${new URL(own.address).pathname} HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\nhalf`);
    await waitFor('the channel', async () => (await own.post('first')) === 200);
    await nats.stop();
    const posted = own.post('whole');
    await waitFor('the post', () => ending.relay.underWay > 0);
    const ended = ending.relay.end();
    nats.goOn();
    assert.equal(await posted, 200);
    await Promise.all([ended, once(half.resume(), 'close')]);
    // The reader's stream has ended, with a whole line.
    while ((await lines.next()).done !== true);
    assert.equal(await own.post('late'), undefined);
  });

  itWithNats('ends although its engine stands still', async () => {
    const still = await NatsServer.start();
    try {
      const ending = await startRelay([still.url], { limits });
      const own = await TestChannel.open(ending.url);
      assert.equal(await own.post('noted at its end'), 200);
      await still.stop();
      let isOver = false;
      void ending.relay.end().then(() => (isOver = true));
      await waitFor('its end', () => isOver, 30_000);
    } finally {
      await still.remove();
    }
  });

  itWithNats('gives no answer while the engine is away, says so, and goes on when it is back', async () => {
    await nats.kill();
    assert.equal(await channel.post('lost'), undefined);
    await waitFor('the relay to notice', async () => (await fetch(`${running.url}/healthz`)).status === 503);
    await nats.start();
    await waitFor('the engine', async () => (await fetch(`${running.url}/healthz`)).status === 200);
    await waitFor('a post', async () => (await channel.post('back')) === 200);
    assert.ok((await channel.read(1)).map(textOf).includes('back'));
  });

  itWithNats('writes no body, no key and no whole address into its log', async () => {
    const { log } = running;
    assert.ok(log.some(({ event }) => event === 'channel full'));
    const text = JSON.stringify(log);
    const name = /\/in\/(\w+)/.exec(channel.address)?.[1] ?? assert.fail();
    for (const secret of [channel.key, name, 'full 1', 'mine']) {
      assert.ok(!text.includes(secret), secret);
    }
    assert.ok(text.includes(name.slice(0, 6)));
    return Promise.resolve();
  });
});
