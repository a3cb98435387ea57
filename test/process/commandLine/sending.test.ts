import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { once } from 'node:events';
import * as https from 'node:https';
import type { AddressInfo } from 'node:net';
import { verify } from '../../../src/service/signature/signature.ts';
import type { Delivery } from '../../../src/contract/delivery.ts';
import type { SandboxAddress } from '../../../src/service/sandbox/sandboxProtocol.ts';
import { CommandLine, type ProgramResult, runhook } from '../../support/processes/commandLine.ts';
import { Receiver } from '../../support/http/receiver.ts';
import { createLocalCa, type LocalCa } from '../../support/http/localCa.ts';
import { Sender } from '../../support/listener/sender.ts';

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
    assert.match(
      err,
      /^runhook: http:\/\/127\.0\.0\.1:\d+\/hook did not accept it: 401 in \d+ ms\. "runhook test" says why\.\n$/,
    );
    assert.match(
      (await send()).err,
      /It was sent without a signature: give --secret-env or --secret-file\.\n$/,
    );
    const spoiled = await send('--secret-env', 'HELD', '--fault', 'bad-signature');
    assert.match(spoiled.err, /401 in \d+ ms\.\n$/);
    handler.otherwise = 'drop';
    const dropped = await send('--secret-env', 'HELD');
    assert.equal(dropped.code, 1);
    assert.match(dropped.err, /^runhook: \S+ did not respond: the connection was reset\.\n$/);
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
      assert.match(err, /^runhook: The fault must be one of bad-signature, /);
    }
    const { code, err } = await send('--fault', 'bad-signature');
    assert.equal(code, 2);
    assert.match(err, /needs the secret that signs the webhook/);
    assert.equal(handler.received.length, 0);
  });
});

const accept = '--accept-local-certificates';

describe('a local app whose certificate only its developer knows', () => {
  let ca: LocalCa;
  let app: https.Server;
  let folder: string;
  let to: string;
  before(async () => {
    ca = createLocalCa('localhost');
    folder = mkdtempSync(join(tmpdir(), 'runhook-'));
    writeFileSync(join(folder, 'one.delivery.json'), '{"body":{"a":1},"expect":{"status":"2xx"}}');
    app = https
      .createServer({ key: ca.key, cert: ca.cert }, (_, response) => response.end('ok'))
      .listen(0, '127.0.0.1');
    await once(app, 'listening');
    to = `https://localhost:${(app.address() as AddressInfo).port}/hook`;
  });
  after(() => {
    app.close();
    ca.dispose();
    rmSync(folder, { recursive: true, force: true });
  });

  const untrusted = /certificate not trusted/;

  it('is sent to where the system trusts it, or the user says so', async () => {
    const send = ['send', join(folder, 'one.delivery.json'), '--to', to];
    const refused = await runhook(send);
    assert.equal(refused.code, 1);
    assert.match(refused.err, untrusted);
    assert.equal((await runhook(send, { SSL_CERT_FILE: ca.caFile })).code, 0);
    assert.equal((await runhook([...send, accept])).code, 0);
  });

  it('is tested the same way', async () => {
    const test = ['test', folder, '--to', to];
    const refused = await runhook(test);
    assert.equal(refused.code, 1);
    assert.match(refused.out, untrusted);
    assert.equal((await runhook(test, { SSL_CERT_FILE: ca.caFile })).code, 0);
    assert.equal((await runhook([...test, accept])).code, 0);
  });

  it('gets what is forwarded', async () => {
    for (const [args, environment, expected] of [
      [[], {}, undefined],
      [[], { SSL_CERT_FILE: ca.caFile }, 200],
      [[accept], {}, 200],
    ] as const) {
      const store = mkdtempSync(join(folder, 'store-'));
      const program = new CommandLine(
        ['listen', '--json', '--store', store, '--secret-env', 'HELD', '--forward-to', to, ...args],
        { HELD: 'secret', ...environment },
      );
      const { listening } = JSON.parse(await program.line(0)) as { listening: { port: number } };
      const sender = new Sender(listening.port, 'secret');
      await sender.deliver('r-1', '{}');
      const { forward } = JSON.parse(await program.line(1)) as Delivery;
      assert.equal(forward?.status, expected);
      assert.equal(forward?.error, expected === undefined ? 'UNABLE_TO_VERIFY_LEAF_SIGNATURE' : undefined);
      sender.close();
      await program.interrupt();
    }
  });
});

describe('runhook sandbox', () => {
  it('prints where it is in one line of JSON, and serves until Ctrl-C', async () => {
    const program = new CommandLine(['sandbox', '--app', 'mine=http://127.0.0.1:9']);
    const { baseUrl, apps } = JSON.parse(await program.line(0)) as SandboxAddress;
    assert.equal(apps.at(-1)?.name, 'mine');
    assert.equal((await fetch(`${baseUrl}/openapi.json`)).status, 200);
    const { code, err } = await program.interrupt();
    assert.deepEqual([code, err], [0, '']);
  });

  it('exits with 1 where the port is taken, and with 2 for an address that is none', async () => {
    const taken = await Receiver.start();
    const busy = await runhook(['sandbox', '--port', new URL(taken.url).port]);
    assert.deepEqual(
      [busy.code, busy.err],
      [
        1,
        'runhook: The sandbox cannot serve: another program is using the port. Choose another with --port.\n',
      ],
    );
    await taken.close();
    const { code, err } = await runhook(['sandbox', '--app', 'mine=ftp://localhost']);
    assert.equal(code, 2);
    assert.match(err, /not an http or https address/);
  });
});
