import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import * as https from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Delivery } from '../../../src/model/deliveries/delivery.ts';
import { createLocalCa, type LocalCa } from '../../support/http/localCa.ts';
import { Sender } from '../../support/listener/sender.ts';
import { CommandLine, runhook } from '../../support/processes/commandLine.ts';

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

  const untrusted = /this machine does not trust the issuer of its certificate/;

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
