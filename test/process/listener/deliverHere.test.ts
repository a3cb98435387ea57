import assert from 'node:assert/strict';
import type { Delivery } from '../../../src/contract/delivery.ts';
import type { DeliveryFilter } from '../../../src/deliveries/deliveryFilter.ts';
import type { NextResponses } from '../../../src/deliveries/listenerProtocol.ts';
import { Replays } from '../../../src/listener/forwarding/replays.ts';
import { deliverHere } from '../../../src/listener/program/deliverHere.ts';
import { verify } from '../../../src/service/signature/signature.ts';
import type { Clock } from '../../../src/shared/async/clock.ts';
import { ListenerRig, secret } from '../../support/listener/listenerRig.ts';
import { Receiver } from '../../support/http/receiver.ts';

const body = '{"run_id":"run-7","result":{"n":1.0},\n"timestamp":1790000000}';
const run = '6f6ac0f5-7d3a-4b4e-9a39-0d63a64c1f4e';

describe('a delivery that is made here', () => {
  let rig: ListenerRig;
  let handler: Receiver;
  beforeEach(async () => {
    rig = await new ListenerRig().start();
    handler = await Receiver.start();
    rig.configure({ forwardTo: `${handler.url}/hook` });
  });
  afterEach(async () => {
    await rig.end();
    await handler.close();
  });

  /** Waits for no retry, and for no attempt to time out. */
  const clock = (): Clock => ({
    now: () => rig.clock,
    after: (ms, callback) => {
      if (ms > 5000) return () => undefined;
      const timer = setImmediate(callback);
      return () => clearImmediate(timer);
    },
  });
  const make = (signedWith = secret) => {
    const bytes = Buffer.from(body).toString('base64');
    return deliverHere(
      rig,
      { run, runId: 'run-7', appName: 'echo', body: bytes, secret: signedWith },
      new AbortController().signal,
      clock(),
    );
  };
  const find = (filter: DeliveryFilter): Delivery[] => rig.store.page(filter, 100).deliveries;
  const marks = () => find({}).map(({ verdict, madeHere = false }) => [verdict, madeHere]);

  it('has the body as it came and the headers of the service, and the handler has it verified', async () => {
    const { id, attempts } = await make();
    assert.deepEqual(attempts, [{ status: 200 }]);
    const [got] = await handler.count(1);
    assert.equal(got!.body.toString(), body);
    assert.equal(got!.path, '/hook');
    const tolerance = 300;
    assert.equal(
      verify(got!.rawHeaders, got!.body, [secret], rig.clock / 1000, tolerance).verdict,
      'verified',
    );
    assert.deepEqual(
      Object.keys(got!.headers)
        .filter((name) => name !== 'host' && name !== 'connection')
        .sort(),
      [
        'content-length',
        'content-type',
        'user-agent',
        'x-request-id',
        'x-service-webhook-signature',
        'x-service-webhook-timestamp',
      ],
    );
    const delivery = rig.store.get(id);
    assert.equal(delivery.madeHere, true);
    assert.equal(delivery.joinedRun, run);
    assert.deepEqual([delivery.verdict, delivery.appName, delivery.runId], ['verified', 'echo', 'run-7']);
  });

  // service-interface.md, section 6, "Retry behaviour"
  const table: [NextResponses['response'], number][] = [
    [200, 1],
    [503, 1],
    [400, 1],
    [404, 3],
    [302, 3],
    ['drop', 3],
  ];
  for (const [response, attempts] of table) {
    it(`is tried ${attempts} times where the listener, or in pass-through the handler, answers ${response}`, async () => {
      rig.listener.setNextResponses({ response, times: 9 });
      const ordered = await make();
      rig.listener.setNextResponses({ response: 200, times: 0 });
      rig.configure({ forwardMode: 'passThrough' });
      handler.otherwise = response;
      const passed = await make();
      for (const made of [ordered, passed]) {
        assert.equal(made.attempts.length, attempts);
        assert.ok(
          made.attempts.every(({ status }) => status === (response === 'drop' ? undefined : response)),
        );
        const repeats = find({ made: 'here' }).filter(({ repeatOf }) => repeatOf === made.id);
        assert.equal(repeats.length, attempts - 1);
      }
    });
  }

  it('is told from those of the service by everybody who looks for either', async () => {
    await make();
    await rig.deliver('r-1', body);
    assert.deepEqual(marks(), [
      ['verified', false],
      ['verified', true],
    ]);
    assert.deepEqual(
      find({ made: 'here' }).map(({ madeHere }) => madeHere),
      [true],
    );
    assert.deepEqual(
      find({ verdict: 'verified' }).map(({ requestId }) => requestId),
      ['r-1'],
    );
  });

  it('has the names of headers by which the service has sent one of this app', async () => {
    const entries = Object.entries(rig.signed('r-1', body));
    const named = entries.map(([name, value]) => [name.replace('Service', 'Acme'), value]);
    const path = '/runhook/echo';
    await rig.send(body, Object.fromEntries(named) as Record<string, string>, { path });
    await make();
    const [, made] = await handler.count(2);
    assert.ok('x-acme-webhook-signature' in made!.headers && 'x-acme-webhook-timestamp' in made!.headers);
    assert.equal(marks()[0]?.[0], 'verified');
  });

  it('cannot be claimed by a sender that copies its headers and lacks the secret', async () => {
    const { headers } = rig.store.get((await make()).id);
    const signature = headers['x-service-webhook-signature']!;
    const hostile: [string, Record<string, string>][] = [
      [`${body} `, headers],
      [
        body,
        {
          ...headers,
          'x-service-webhook-signature': signature.replace(/.$/, (digit) => (digit === '0' ? '1' : '0')),
        },
      ],
      [body, { ...headers, 'x-service-webhook-signature': '' }],
      [body, rig.signed(headers['x-request-id']!, body, 'another secret')],
    ];
    for (const [sent, its] of hostile) {
      const { status } = await rig.send(sent, { ...its, 'content-length': String(sent.length) });
      assert.equal(status, 401);
    }
    assert.deepEqual(find({ made: 'here' }).length, 1);
    assert.ok(
      marks()
        .slice(0, -1)
        .every(([verdict, isMade]) => verdict !== 'verified' && !isMade),
    );
  });

  it('stays one that was made here: repeated, replayed, edited, after a restart, and where all were cleared', async () => {
    const { id } = await make();
    const { headers } = rig.store.get(id);
    const requestId = headers['x-request-id']!;
    rig.configure({ forwardTo: '' });
    const replays = new Replays({
      ...{ store: rig.store, port: rig.port, waiting: new Set() },
      settings: { secrets: [], maxBodyBytes: 1 << 20 },
    });
    const to = `http://127.0.0.1:${rig.port}/`;
    const { signal } = new AbortController();
    await replays.send({ id, to, resign: false }, signal);
    await rig.send('{}', rig.signed(requestId, '{}'));
    assert.deepEqual(marks(), Array(3).fill(['verified', true]));
    // Nothing of its id is left where that was changed, but that it was sent from here.
    const edit = { headers: { 'X-Request-Id': 'edited' } };
    await replays.send({ id, to, resign: false, edit }, signal);
    assert.deepEqual(marks()[0], ['mismatch', false]);
    await rig.deliver('edited');
    assert.deepEqual(marks()[0], ['verified', true]);
    rig.store.clear();
    await rig.deliver(requestId);
    assert.deepEqual(marks(), [['verified', true]]);
    rig.clock += 301_000;
    await rig.send(body, headers);
    assert.deepEqual(marks()[0], ['stale', true]);
    const folder = rig.folder;
    rig.store.close();
    const next = await new ListenerRig({ folder }).start();
    next.clock = rig.clock;
    try {
      await next.send('{}', next.signed(requestId, '{}'));
      assert.deepEqual(
        next.list().map(({ madeHere }) => madeHere),
        [true, true, true],
      );
    } finally {
      await next.listener.close();
      next.store.close();
    }
  });
});
