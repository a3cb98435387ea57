import assert from 'node:assert/strict';
import type { Clock } from '../../../src/shared/async/clock.ts';
import { readFixture } from '../../../src/suite/fixture/readFixture.ts';
import { variantNames } from '../../../src/suite/fixture/fixtureSchema.ts';
import { runVariant, type VariantResult } from '../../../src/suite/run/runVariant.ts';
import { variantsOf } from '../../../src/suite/run/variant.ts';
import { verify } from '../../../src/service/signature/signature.ts';
import { type Behaviour, type Received, Receiver } from '../../support/http/receiver.ts';

const secret = 'a secret of the test';

/** On a busy machine an answer may take its time, in milliseconds. */
const patient = 60_000;

/** A clock by which what is waited for is there at once. */
function hurried(): Clock {
  let now = Date.now();
  const after = (ms: number, callback: () => void): (() => void) => {
    now += ms;
    const timer = setImmediate(callback);
    return () => clearImmediate(timer);
  };
  return { now: () => now, after };
}

describe('a variant of a fixture', () => {
  let app: Receiver;
  beforeEach(async () => (app = await Receiver.start()));
  afterEach(() => app.close());

  /** Runs the variant of that name, or the only one, of a file. */
  async function run(
    file: { expect?: { within?: number; [field: string]: unknown }; [field: string]: unknown },
    name?: string,
    more: object = {},
  ): Promise<VariantResult> {
    const within = file.expect?.within ?? patient;
    const whole = { body: { n: 1 }, ...file, expect: { ...file.expect, within } };
    const fixture = readFixture(JSON.stringify(whole, undefined, 1), 'a.delivery.json');
    const variants = variantsOf(fixture);
    const variant = variants.find((one) => one.name === (name ?? variants[0]!.name))!;
    const target = { to: new URL(app.url), secret, clock: hurried(), signal: new AbortController().signal };
    return runVariant(fixture, variant, 'an-id', { ...target, ...more });
  }
  const all = { variants: 'all' };
  const verdictOf = ({ headers, body }: Received): string =>
    verify(headers, body, [secret], Date.now() / 1000, 300).verdict;
  /** Answers questions with what a function gives, and takes deliveries with a status. */
  const asking = (state: () => string, status = 200): Behaviour => {
    return (request, response) => {
      if (request.method === 'GET') response.end(state());
      else response.writeHead(status).end();
    };
  };
  const messageOf = ({ failures }: VariantResult): string =>
    failures.map(({ message, cause = '' }) => `${message} ${cause}`).join('\n');

  const verdicts: Record<(typeof variantNames)[number], string[]> = {
    'as it is': ['verified'],
    repeat: ['verified', 'verified'],
    'bad-signature': ['mismatch'],
    stale: ['stale'],
    'body-changed': ['mismatch'],
    'missing-header': ['malformed'],
    'out-of-order': ['verified', 'verified'],
    concurrent: ['verified', 'verified'],
  };
  for (const name of variantNames) {
    it(`is sent ${name}`, async () => {
      const isGenuine = verdicts[name][0] === 'verified';
      app.otherwise = isGenuine ? 204 : 401;
      const { outcome, failures } = await run(all, name);
      assert.deepEqual([outcome, failures], ['passed', []]);
      assert.deepEqual(app.received.map(verdictOf), verdicts[name]);
      // What may not be taken fails where it is, and the other way round.
      app.otherwise = isGenuine ? 401 : 204;
      assert.equal((await run(all, name)).outcome, 'failed');
    });
  }

  it('is sent with its method, its path and its headers, and signed under the name that these have', async () => {
    const headers = {
      'X-Acme-Webhook-Timestamp': '1',
      'X-Own': 'é',
      Host: 'elsewhere',
      Connection: 'close, x-own2',
    };
    await run({ method: 'PUT', path: '/hooks/a?b=c', headers });
    const [first] = app.received;
    assert.deepEqual([first!.method, first!.path, first!.headers['x-own']], ['PUT', '/hooks/a?b=c', 'é']);
    assert.equal(first!.headers['x-request-id'], 'an-id');
    assert.ok('x-acme-webhook-signature' in first!.headers);
    assert.equal(verdictOf(first!), 'verified');
    // An address with a path counts more.
    await run({ path: '/hooks' }, undefined, { to: new URL(`${app.url}/own`) });
    assert.equal(app.received[1]!.path, '/own');
  });

  it('is held against several classes of statuses, as a repeat as well', async () => {
    const expect = { status: '2xx or 4xx' };
    for (const [status, outcome] of [
      [204, 'passed'],
      [404, 'passed'],
      [302, 'failed'],
      [500, 'failed'],
    ] as const) {
      app.otherwise = status;
      for (const kind of ['as it is', 'repeat'] as const) {
        const result = await run({ expect, variants: [kind] }, kind);
        assert.equal(result.outcome, outcome, `${kind}: ${status}`);
      }
    }
  });

  it('is signed with the request id as the app gets it', async () => {
    for (const id of ['r-1 ', ' r-1', '']) {
      await run({ headers: { 'X-Request-Id': id } });
      const got = app.received.at(-1)!;
      assert.deepEqual([got.headers['x-request-id'], verdictOf(got)], [id.trim() || 'an-id', 'verified']);
    }
  });

  it('is the same delivery twice as a repeat, and another as the newer of two', async () => {
    const idOf = ({ headers }: Received): unknown => headers['x-request-id'];
    await run({ headers: { 'x-request-id': 'r-1' }, ...all }, 'repeat');
    assert.deepEqual(app.received[0]!.rawHeaders, app.received[1]!.rawHeaders);
    assert.equal(idOf(app.received[0]!), 'r-1');
    await run(all, 'out-of-order');
    const [newer, older] = app.received.slice(2);
    assert.deepEqual([idOf(newer!), idOf(older!)], ['an-id-newer', 'an-id']);
    const timeOf = ({ headers }: Received): number => Number(headers['x-service-webhook-timestamp']);
    assert.ok(timeOf(newer!) > timeOf(older!));
  });

  it('is held against status, headers and body, and says what came instead', async () => {
    app.otherwise = (_request, response) => void response.writeHead(202, { 'X-Job': 'a' }).end('queued: 7');
    const expect = { status: 202, headers: { 'x-job': 'a' }, bodyContains: 'queued' };
    assert.equal((await run({ expect })).outcome, 'passed');
    const other = { status: 200, headers: { 'X-Job': 'b', 'x-more': '1' }, bodyContains: 'done' };
    const { failures } = await run({ expect: other });
    assert.deepEqual(
      failures.map(({ expected, actual, place }) => [expected, actual, place.line]),
      [
        ['200', '202', 5],
        ['X-Job: b', 'X-Job: a', 7],
        ['x-more: 1', 'no header x-more', 8],
        ['done', 'queued: 7', 10],
      ],
    );
  });

  it('costs no more than its time where the app hangs, or its answer has no end', async () => {
    app.otherwise = 'hang';
    const hung = await run({ expect: { within: 300 }, ...all }, 'repeat');
    assert.match(
      messageOf(hung),
      /^Expected 2xx, got no response within 300 ms\. This was the first of the two\. Your handler hangs/,
    );
    assert.equal(hung.exchanges.length, 1);
    app.otherwise = (_request, response) => void response.writeHead(200).write('begun');
    // On a busy machine the head of the answer may take its time.
    const cut = async (within: number): Promise<string> => {
      const message = messageOf(await run({ expect: { within } }));
      return message.startsWith('The response began') || within > patient ? message : cut(within * 4);
    };
    assert.match(await cut(300), /^The response began, but did not end within /);
  });

  it('reads no more of an answer than it keeps', async () => {
    app.otherwise = (_request, response) => {
      const more = (): void => {
        while (!response.destroyed && response.write(Buffer.alloc(65_536, 'a')));
      };
      response.on('drain', more).writeHead(200);
      more();
    };
    const { outcome, exchanges } = await run({});
    assert.equal(outcome, 'passed');
    assert.equal(exchanges[0]!.answer!.body.length, 65_536);
  });

  it('asks the app afterwards, until it says what is expected', async () => {
    let asked = 0;
    app.otherwise = asking(() => `count: ${(asked += 1)}`);
    const { outcome, exchanges } = await run({
      expect: { after: { get: '/count?of=a', bodyContains: '3' } },
    });
    assert.equal(outcome, 'passed');
    assert.equal(exchanges.at(-1)!.request, `GET ${app.url}/count?of=a`);
    app.otherwise = asking(() => 'none');
    const { failures } = await run({ expect: { after: { get: '/', bodyContains: '1' } } });
    assert.match(
      failures[0]!.message,
      /^GET \/ afterwards: Expected a response that contains "1", got "none"\.$/,
    );
    assert.equal(failures[0]!.place.line, 7);
  });

  it('is a repeat that was processed twice where the app says something else afterwards', async () => {
    let count = 0;
    app.otherwise = (request, response) => {
      if (request.method === 'POST') count += 1;
      response.end(String(count));
    };
    const after = { get: '/count' };
    const result = await run({ expect: { after }, ...all }, 'repeat');
    assert.match(
      messageOf(result),
      /GET \/count returned 200 1 before, but 200 2 now\. .*the repeat a second time/,
    );
    assert.equal(
      (await run({ expect: { after }, variants: [{ name: 'repeat', expect: {} }] })).outcome,
      'passed',
    );
  });

  it('was acted on although it was refused where the app says something else afterwards', async () => {
    let count = 0;
    const expect = { after: { get: '/count', bodyContains: '7' } };
    app.otherwise = asking(() => String(count), 401);
    assert.equal(
      (await run({ expect, ...all }, 'stale')).outcome,
      'passed',
      'whatever it says, it is the same',
    );
    app.otherwise = asking(() => String((count += 1)), 401);
    assert.match(messageOf(await run({ expect, ...all }, 'stale')), /acted on it all the same/);
  });

  const causes: [name: string, behaviour: Behaviour, cause: RegExp][] = [
    ['as it is', 401, /rejected a genuine delivery. It may verify a re-serialised body: use the raw bytes/],
    ['as it is', 500, /does not try again after a 5xx/],
    ['as it is', 404, /There is nothing at \/, or your handler rejects/],
    ['as it is', 302, /The service counts a redirect as a failure/],
    ['as it is', 405, /the service sends POST/],
    ['as it is', 413, /only smaller bodies/],
    ['as it is', 'drop', /your handler disconnected\. It may have crashed: see what it wrote\.$/],
    ['repeat', 409, /This was the first of the two\./],
    ['bad-signature', 200, /may not check the signature at all/],
    ['body-changed', 200, /whose body was changed after it was signed/],
    ['stale', 200, /signed an hour ago/],
    ['stale', 500, /Your handler failed\. Verify the delivery before you read its body/],
    ['missing-header', 200, /without a timestamp/],
    ['stale', 404, /Expected 4xx, but not 404, got 404/],
    ['concurrent', 500, /Your handler failed\. If it fails only where two deliveries arrive at once/],
    ['concurrent', 409, /Let it wait until the other is done/],
    ['concurrent', 401, /^Expected 2xx, got 401\. Your handler rejected a genuine delivery[^\n]*$/],
    ['out-of-order', 401, /This was the newer of the two\. .*genuine delivery/],
  ];
  for (const [name, behaviour, cause] of causes) {
    it(`says what ${String(behaviour)} to ${name} may come from`, async () => {
      app.otherwise = behaviour;
      assert.match(messageOf(await run(all, name)), cause);
    });
  }

  for (const kind of ['repeat', 'concurrent']) {
    it(`blames no ${kind} where the first of the two did not have its effect already`, async () => {
      const expect = { after: { get: '/count', within: 100 } };
      app.otherwise = (request, response) =>
        void response.writeHead(request.method === 'GET' ? 404 : 200).end();
      const said = messageOf(await run({ expect, variants: [kind] }, kind));
      assert.match(said, /^GET \/count afterwards: Expected 2xx, got 404\.\s*$/);
    });
  }

  it('takes no effect of an earlier variant for that of the one sent alone', async () => {
    const ids = new Set<unknown>();
    let count = 0;
    // Each effect shows in the state after the next.
    let late = 1;
    app.otherwise = (request, response) => {
      if (request.method === 'GET') {
        response.end(String(count));
        count += late;
        late = 0;
        return;
      }
      const id = request.headers['x-request-id'];
      if (!ids.has(id)) late += 1;
      ids.add(id);
      response.end();
    };
    const expect = { after: { get: '/count', within: patient } };
    assert.equal(messageOf(await run({ expect, variants: ['concurrent'] }, 'concurrent')), '');
  });

  it('says what the handler gives as its reason', async () => {
    app.otherwise = (_, response) => response.writeHead(422).end('{"error": "amount is missing"}');
    const said = messageOf(await run(all, 'as it is'));
    assert.equal(said, 'Expected 2xx, got 422. Your handler responded: "amount is missing".');
  });

  it('says what to do about a handler that is not running or not found', async () => {
    const missing = async (address: string): Promise<string> =>
      messageOf(await run({}, undefined, { to: new URL(address) }));
    assert.equal(
      await missing('http://127.0.0.1:9/'),
      'Expected 2xx, got no response: your handler is not running. Nothing listens on 127.0.0.1:9. Start your handler, or set another address.',
    );
    assert.equal(
      await missing('http://handler.invalid/'),
      'Expected 2xx, got no response: your handler was not found. Compare its address: http://handler.invalid/',
    );
  });

  it('says so where only the second of two is refused', async () => {
    app.behaviours = [200, 409];
    assert.match(messageOf(await run(all, 'repeat')), /rejected a repeat/);
    app.behaviours = [200, 409];
    assert.match(messageOf(await run(all, 'out-of-order')), /a newer one came first/);
  });

  it('needs a secret where it has a signature to spoil, and is sent unsigned without one otherwise', async () => {
    await assert.rejects(run(all, 'stale', { secret: undefined }), /"stale" needs the secret/);
    assert.equal(app.received.length, 0);
    app.otherwise = 401;
    assert.match(
      messageOf(await run({}, undefined, { secret: undefined })),
      /set the secret that your handler has/,
    );
    assert.equal(verdictOf(app.received[0]!), 'unsigned');
  });

  it('ends when it is broken off', async () => {
    app.otherwise = 'hang';
    const stop = new AbortController();
    const running = run({}, undefined, { signal: stop.signal });
    await app.count(1);
    stop.abort(new Error('stopped'));
    await assert.rejects(running, /stopped/);
  });

  it('shows the secret nowhere, whatever the app answers', async () => {
    app.otherwise = (_request, response) =>
      void response.writeHead(500, { 'X-Env': secret }).end(`WEBHOOK_SECRET=${secret}`);
    const result = await run({ expect: { bodyContains: 'x', headers: { 'x-env': 'y' } } });
    assert.equal(result.failures.length, 3);
    assert.doesNotMatch(JSON.stringify(result), new RegExp(secret));
  });
});
