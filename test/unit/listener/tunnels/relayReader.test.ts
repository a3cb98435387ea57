import assert from 'node:assert/strict';
import { readBundle } from '../../../../scripts/l10n/bundles.ts';
import { heartbeatMs, newRelayKey, type RelayLosses } from '../../../../src/deliveries/relayProtocol.ts';
import type { RelayPlace } from '../../../../src/deliveries/keptDelivery.ts';
import { type RelayedRequest, RelayReader } from '../../../../src/listener/tunnels/relayReader.ts';
import { UnreachableError } from '../../../../src/service/client/errors.ts';
import type { TransportRequest, TransportResponse } from '../../../../src/service/client/transport.ts';
import { useBundle } from '../../../../src/shared/text/l10n.ts';
import { TestClock } from '../../../support/time/testClock.ts';

const key = newRelayKey();
const opened = { address: 'https://relay.example/in/abc/', keptDays: 7, keptMost: 10_000 };
const delivery = (seq: number, more: object = {}) => ({
  ...{ seq, at: 1000 + seq, method: 'POST', path: '/hello', rawHeaders: ['Host', 'x'] },
  body: Buffer.from(`body ${seq}`).toString('base64'),
  ...more,
});

/** A relay that answers each call as the test says. */
class FakeRelay {
  readonly calls: TransportRequest[] = [];
  readonly clock = new TestClock();
  readonly taken: (RelayPlace & { text: string })[] = [];
  readonly told: (string | RelayLosses)[] = [];
  answers: Record<string, number | object> = { 'PUT channel': opened, 'POST acks': 204 };
  /** What the next stream consists of; it stays open after that where it ends with `open`. */
  streams: string[][] = [];
  take = (): Promise<void> => Promise.resolve();
  joinToken: string | undefined = 'join';
  readonly reader: RelayReader;

  constructor(change: (relay: FakeRelay) => void = () => undefined) {
    change(this);
    const { joinToken, clock } = this;
    this.reader = new RelayReader({
      ...{ url: 'https://relay.example/team', key, joinToken, clock },
      transport: (request) => this.#answer(request),
      take: async (place, request: RelayedRequest) => {
        await this.take();
        this.taken.push({ ...place, text: request.body.toString() });
      },
      onOpen: (url) => this.told.push(`open ${url}`),
      onAway: (reason, attempt) => this.told.push(`away ${attempt}: ${reason}`),
      onRefused: ({ message, needsToken }) =>
        this.told.push(`refused${needsToken ? ' (token)' : ''}: ${message}`),
      onLosses: (losses) => this.told.push(losses),
    });
  }

  get acknowledged(): number[] {
    return this.calls.flatMap(({ url, body }) =>
      url.pathname.endsWith('acks') ? (JSON.parse(String(body)) as { seqs: number[] }).seqs : [],
    );
  }

  #answer(request: TransportRequest): Promise<TransportResponse> {
    this.calls.push(request);
    const name = `${request.method} ${request.url.pathname.split('/').at(-1) ?? ''}`;
    const answer = this.answers[name] ?? 200;
    const status = typeof answer === 'number' ? answer : 200;
    const text = typeof answer === 'number' ? '' : JSON.stringify(answer);
    const body = name === 'GET deliveries' ? this.#stream(request.signal) : pieces(text);
    return Promise.resolve({ status, headers: {}, body });
  }

  async *#stream(signal?: AbortSignal): AsyncGenerator<Uint8Array> {
    for (const piece of this.streams.shift() ?? ['open']) {
      if (piece === 'open')
        await new Promise((_, reject) =>
          signal?.addEventListener('abort', () => reject(signal.reason as Error)),
        );
      yield Buffer.from(piece);
    }
  }
}

async function* pieces(text: string): AsyncGenerator<Uint8Array> {
  await Promise.resolve();
  yield Buffer.from(text);
}

const line = (value: object): string => `${JSON.stringify(value)}\n`;
/** Lets all that is not waiting for the clock happen. */
const settled = async (): Promise<void> => {
  for (let turn = 0; turn < 50; turn += 1) await new Promise((resolve) => setImmediate(resolve));
};

describe('the reader of a relay', () => {
  let relay: FakeRelay;
  const start = async (change?: (relay: FakeRelay) => void): Promise<void> => {
    relay = new FakeRelay(change);
    await settled();
  };
  afterEach(async () => {
    const closed = relay.reader.close();
    relay.clock.advance(60_000);
    await closed;
  });

  it('opens the channel with key and token, stores what comes, and acknowledges what is stored', async () => {
    const text = line({ heartbeat: true }) + line(delivery(1)) + line(delivery(2));
    await start((one) => (one.streams = [[text.slice(0, 40), text.slice(40), 'open']]));
    const [put, get] = relay.calls;
    assert.equal(put?.url.href, 'https://relay.example/team/v1/channel');
    assert.deepEqual(put.headers, { authorization: `Bearer ${key}`, 'x-runhook-join': 'join' });
    assert.equal(get?.headers['authorization'], `Bearer ${key}`);
    assert.deepEqual(relay.told, ['open https://relay.example/in/abc/']);
    assert.deepEqual(
      relay.taken.map(({ seq, at, text: body }) => [seq, at, body]),
      [
        [1, 1001, 'body 1'],
        [2, 1002, 'body 2'],
      ],
    );
    relay.clock.advance(100);
    await settled();
    assert.deepEqual(relay.acknowledged, [1, 2]);
  });

  it('acknowledges nothing that could not be stored, and asks again', async () => {
    await start((one) => {
      one.take = () => Promise.reject(Object.assign(new Error('full'), { code: 'ENOSPC' }));
      one.streams = [[line(delivery(1)), 'open']];
    });
    relay.take = () => Promise.resolve();
    assert.equal(relay.told.at(-1), 'away 1: the disk is full.');
    relay.streams = [[line(delivery(1)), 'open']];
    relay.clock.advance(1000);
    await settled();
    relay.clock.advance(100);
    await settled();
    assert.deepEqual(relay.acknowledged, [1]);
  });

  it('says why the relay is not reached, and nothing of the service', async () => {
    const message = 'The service at relay.example could not be reached: nothing listens there.';
    const away = new UnreachableError(message, { passing: true, short: 'nothing listens there' });
    for (const [bundle, end] of [
      [{}, '.'],
      [readBundle('ja'), '。'],
    ] as const) {
      useBundle(bundle);
      await start((one) => {
        one.take = () => Promise.reject(away);
        one.streams = [[line(delivery(1)), 'open']];
      }).finally(() => useBundle({}));
      assert.equal(relay.told.at(-1), `away 1: nothing listens there${end}`);
      await relay.reader.close();
    }
  });

  it('tries a relay that is away again and again, later each time, and goes on', async () => {
    await start((one) => (one.answers['PUT channel'] = 503));
    const waits: (number | undefined)[] = [];
    for (let attempt = 0; attempt < 6; attempt += 1) {
      waits.push(relay.clock.nextIn);
      relay.clock.advance(relay.clock.nextIn ?? 0);
      await settled();
    }
    assert.deepEqual(waits, [1000, 2000, 5000, 10_000, 30_000, 30_000]);
    assert.equal(relay.told[0], 'away 1: it returned 503.');
    relay.answers['PUT channel'] = opened;
    relay.clock.advance(30_000);
    await settled();
    assert.equal(relay.told.at(-1), 'open https://relay.example/in/abc/');
  });

  it('gives up a connection on which nothing has come for three heartbeats', async () => {
    await start();
    relay.clock.advance(3 * heartbeatMs);
    await settled();
    assert.equal(relay.told.at(-1), 'away 1: it has sent nothing for 45 seconds.');
  });

  for (const [status, told] of [
    [401, 'refused: The relay relay.example does not accept the key of this window.'],
    [403, 'refused (token): The relay relay.example rejected the token. Whoever runs it has the right one.'],
  ] as const) {
    it(`ends where the relay answers ${status}`, async () => {
      await start((one) => (one.answers['PUT channel'] = status));
      assert.deepEqual(relay.told, [told]);
      assert.equal(relay.clock.nextIn, undefined);
    });
  }

  it('says that the relay asks for a token where it was given none', async () => {
    await start((one) => {
      one.joinToken = undefined;
      one.answers['PUT channel'] = 403;
    });
    assert.deepEqual(relay.told, [
      'refused (token): The relay relay.example is for members of a team. Whoever runs it has the token.',
    ]);
  });

  it('tells what the relay has lost', async () => {
    const losses = { aged: 3, turnedAway: 0 };
    await start((one) => (one.streams = [[line({ losses }), 'open']]));
    assert.deepEqual(relay.told.at(-1), losses);
  });

  for (const [what, sent] of [
    ['no JSON', '{"seq":\n'],
    ['a header with a line break', line(delivery(1, { rawHeaders: ['X', 'a\nb'] }))],
    ['half a header', line(delivery(1, { rawHeaders: ['X'] }))],
    ['another method', line(delivery(1, { method: 'GET' }))],
    ['no path', line(delivery(1, { path: 'http://elsewhere' }))],
    ['a line without end', 'x'.repeat(17 * 1024 * 1024)],
  ] as const) {
    it(`takes nothing from a relay that sends ${what}`, async () => {
      await start((one) => (one.streams = [[sent, 'open']]));
      assert.deepEqual(relay.told.at(-1), 'away 1: it sent something that is not a delivery.');
      assert.deepEqual(relay.taken, []);
    });
  }
});
