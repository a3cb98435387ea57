import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { processesWithEnv } from '../../../support/processes/processesWithEnv.ts';
import { fakeTunnelProgram, type FakeTunnelProgram } from '../../../support/tunnels/fakeTunnelProgram.ts';
import { waitFor } from '../../../support/time/waitFor.ts';

const fixtures = fileURLToPath(new URL('../../../fixtures/tunnels', import.meta.url));
const hostFile = fileURLToPath(new URL('../../../support/tunnels/tunnelHost.ts', import.meta.url));

describe('a tunnel program whose host ends', () => {
  let standIn: FakeTunnelProgram;
  let host: ChildProcess;
  let mark: string;

  /** Starts a host with an open tunnel: the host, the guard and the program are marked by their environment. */
  async function start(part: string, isWrapped = false): Promise<void> {
    standIn = fakeTunnelProgram(fixtures, 'cloudflared', part);
    mark = `RUNHOOK_TUNNEL_TEST=${randomUUID()}`;
    const [name = '', value] = mark.split('=');
    host = spawn(process.execPath, [hostFile, isWrapped ? standIn.wrapper() : standIn.command], {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...process.env, [name]: value },
    });
    const [url] = (await once(createInterface({ input: host.stdout! }), 'line')) as [string];
    assert.match(url, /trycloudflare\.com/);
    assert.equal((await processesWithEnv(mark)).length, isWrapped ? 4 : 3);
  }
  const ended = (): Promise<unknown> =>
    waitFor('all of them to end', async () => (await processesWithEnv(mark)).length === 0);

  afterEach(() => {
    host.kill('SIGKILL');
    standIn.remove();
  });

  it('ends when the host is killed, which it is not told of', async () => {
    await start('opens');
    host.kill('SIGKILL');
    await ended();
  });

  it('ends even where it ignores that it is to end', async () => {
    await start('ignoresSignals');
    host.kill('SIGKILL');
    await ended();
  });

  it('ends where a script started it', async () => {
    await start('opens', true);
    host.kill('SIGKILL');
    await ended();
  });

  it('ends when host and guard get the signal of a Ctrl+C', async () => {
    await start('opens');
    const started = await processesWithEnv(mark);
    for (const { pid } of started.filter(({ command }) => /tunnelHost|tunnelGuard/.test(command))) {
      process.kill(pid, 'SIGINT');
    }
    await ended();
  });
});
