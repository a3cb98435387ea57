import assert from 'node:assert/strict';
import type { SandboxAddress } from '../../../src/model/service/sandboxProtocol.ts';
import { CommandLine, runhook } from '../../support/processes/commandLine.ts';
import { Receiver } from '../../support/http/receiver.ts';

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
      [1, 'runhook: The sandbox cannot serve: another program has the port (EADDRINUSE).\n'],
    );
    await taken.close();
    const { code, err } = await runhook(['sandbox', '--app', 'mine=ftp://localhost']);
    assert.equal(code, 2);
    assert.match(err, /not an http or https address/);
  });
});
