import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { verify } from '../../../src/webhooks/signature/signature.ts';
import { type ProgramResult, runhook } from '../../support/processes/commandLine.ts';
import { Receiver } from '../../support/http/receiver.ts';

const secret = 'a secret of the test';
const body = '{"n": 1}';

describe('runhook send', () => {
  let folder: string;
  let fixture: string;
  let handler: Receiver;
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'runhook-'));
    fixture = join(folder, 'fixture.json');
    const headers = {
      'x-request-id': 'r-1',
      'content-type': 'application/json',
      host: 'elsewhere',
      connection: 'close, x-hop',
      'x-hop': '1',
      'x-acme-webhook-timestamp': '1',
      'x-acme-webhook-signature': `v1,${'0'.repeat(64)}`,
    };
    writeFileSync(fixture, JSON.stringify({ headers, body }));
    handler = await Receiver.start();
  });
  afterEach(async () => {
    await handler.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const send = (...args: string[]): Promise<ProgramResult> =>
    runhook(['send', fixture, '--to', `${handler.url}/hook`, ...args], { HELD: secret });
  const verdictOf = (index: number): string => {
    const { headers, body: came } = handler.received[index]!;
    return verify(headers, came, [secret], Date.now() / 1000, 300).verdict;
  };

  it('signs it now, under the name that it came with, and says how it was answered', async () => {
    const { code, out, err } = await send('--secret-env', 'HELD');
    assert.deepEqual([code, err], [0, '']);
    assert.match(out, /^200 in \d+ ms\n$/);
    const { method, path, headers, body: came } = handler.received[0]!;
    assert.deepEqual(
      [method, path, came.toString(), headers['x-request-id']],
      ['POST', '/hook', body, 'r-1'],
    );
    assert.deepEqual([headers.host, headers['x-hop']], [new URL(handler.url).host, undefined]);
    assert.ok('x-acme-webhook-signature' in headers);
    assert.equal(verdictOf(0), 'verified');
  });

  it('sends it as it was saved without a secret', async () => {
    assert.equal((await send()).code, 0);
    assert.equal(handler.received[0]!.headers['x-acme-webhook-timestamp'], '1');
  });

  it('adds the path of the fixture to an address that has none', async () => {
    const own = join(folder, 'a.delivery.json');
    writeFileSync(own, JSON.stringify({ path: '/webhooks?of=a', body: 1 }));
    assert.equal((await runhook(['send', own, '--to', handler.url])).code, 0);
    assert.equal((await runhook(['send', own, '--to', `${handler.url}/hook`])).code, 0);
    assert.deepEqual(
      handler.received.map(({ path }) => path),
      ['/webhooks?of=a', '/hook?of=a'],
    );
  });

  it('exits with 1 where it is refused, or nobody answers', async () => {
    handler.otherwise = 401;
    const { code, out, err } = await send('--secret-env', 'HELD');
    assert.deepEqual([code, out], [1, '']);
    assert.match(err, /^runhook: http:\/\/127\.0\.0\.1:\d+\/hook refused it: 401 in \d+ ms\.\n$/);
    handler.otherwise = 'drop';
    const dropped = await send('--secret-env', 'HELD');
    assert.equal(dropped.code, 1);
    assert.match(dropped.err, /^runhook: \S+ gave no answer: the connection was reset \(ECONNRESET\)\.\n$/);
  });

  for (const [fault, verdict] of [
    ['bad-signature', 'mismatch'],
    ['stale-timestamp', 'stale'],
    ['missing-header', 'malformed'],
    ['body-changed', 'mismatch'],
    ['slow', 'verified'],
  ] as const) {
    it(`spoils it by ${fault}`, async () => {
      assert.equal((await send('--secret-env', 'HELD', '--fault', fault)).code, 0);
      assert.equal(verdictOf(0), verdict);
    });
  }

  it('sends it once more by repeat, once it was taken', async () => {
    assert.equal((await send('--secret-env', 'HELD', '--fault', 'repeat')).code, 0);
    const [first, second] = handler.received;
    assert.deepEqual(second!.headers, first!.headers);
    handler.behaviours = [500];
    assert.equal((await send('--secret-env', 'HELD', '--fault', 'repeat')).code, 1);
    assert.equal(handler.received.length, 3);
  });

  it('refuses a fault that it cannot do, and a signature to spoil without a secret', async () => {
    for (const fault of ['out-of-order', '500', 'x']) {
      const { code, err } = await send('--fault', fault);
      assert.equal(code, 2);
      assert.match(err, /^runhook: The fault is none of bad-signature, /);
    }
    const { code, err } = await send('--fault', 'bad-signature');
    assert.equal(code, 2);
    assert.match(err, /needs the secret that signs the webhook/);
    assert.equal(handler.received.length, 0);
  });
});
