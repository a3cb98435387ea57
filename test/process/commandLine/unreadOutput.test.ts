import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { commandLineEntry } from '../../support/processes/entryPoints.ts';
import { runhook } from '../../support/processes/commandLine.ts';
import { UnreadTerminal } from '../../support/processes/unreadTerminal.ts';
import { Sender } from '../../support/listener/sender.ts';
import { waitFor } from '../../support/time/waitFor.ts';

const secret = 'a secret of the test';
const environment = { HELD: secret };
/** More than the buffers of a terminal and of a pipe hold. */
const body = JSON.stringify({ text: 'x'.repeat(4000) });

/** The terminal of these tests is one of Unix. */
const hasTerminals = process.platform !== 'win32';

describe('an output that nobody reads', () => {
  let folder: string;
  let terminal: UnreadTerminal | undefined;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'runhook-'));
  });
  afterEach(() => {
    terminal?.kill();
    rmSync(folder, { recursive: true, force: true });
  });

  const listening = (...args: string[]): string[] => [
    ...[process.execPath, commandLineEntry, 'listen', '--store', folder, '--secret-env', 'HELD', ...args],
  ];
  const deliver = async (port: number, from: number, to: number): Promise<void> => {
    const sender = new Sender(port, secret);
    for (let at = from; at < to; at += 50) {
      const some = Array.from({ length: Math.min(50, to - at) }, (_, index) => at + index);
      const statuses = await Promise.all(some.map((n) => sender.deliver(`r-${n}`, body)));
      assert.ok(statuses.every((status) => status === 200));
    }
    sender.close();
  };
  const keptCount = async (): Promise<number> => {
    const { out } = await runhook(['deliveries', '--store', folder]);
    return out.split('\n').filter(Boolean).length;
  };

  for (const [args, count] of [
    [[], 400],
    [['--json'], 1000],
  ] as const) {
    if (hasTerminals)
      it(`keeps no delivery from being answered and kept, nor the program from ending: a terminal ${args.join('')}`, async () => {
        terminal = await UnreadTerminal.start(listening(...args), environment);
        const port = Number(/127\.0\.0\.1:(\d+)/.exec(terminal.line)?.[1]);
        await deliver(port, 0, count);
        assert.equal(await terminal.terminate(), 0);
        assert.equal(await keptCount(), count);
      });
  }

  it('keeps nothing from being answered either where it is a pipe, and says later what was not shown', async () => {
    const [node = '', ...args] = listening('--json');
    const program = spawn(node, args, {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...process.env, ...environment },
    });
    const lines: string[] = [];
    createInterface(program.stdout).on('line', (line) => lines.push(line));
    const first = await waitFor('its address', () => lines[0]);
    program.stdout.pause();
    const {
      listening: { port },
    } = JSON.parse(first) as { listening: { port: number } };
    await deliver(port, 0, 900);
    program.stdout.resume();
    await waitFor('what was not shown', () => lines.find((line) => line.startsWith('{"notShown"')));
    await deliver(port, 900, 901);
    await waitFor('the next line', () => lines.at(-1)?.includes('"r-900"'));
    const told = lines.slice(1).map((line) => JSON.parse(line) as { notShown?: { lines: number } });
    const count = told.reduce((sum, { notShown }) => sum + (notShown?.lines ?? 1), 0);
    assert.equal(count, 901, 'each is shown or counted');
    program.stdout.pause();
    await deliver(port, 901, 1000);
    const ended = once(program, 'exit');
    program.kill('SIGTERM');
    assert.deepEqual(await ended, [0, null]);
    program.stdout.destroy();
    assert.equal(await keptCount(), 1000);
  });

  if (hasTerminals)
    it('is no end of the sandbox, nor of its answers', async () => {
      terminal = await UnreadTerminal.start([process.execPath, commandLineEntry, 'sandbox']);
      const { proxyUrl, projectId, token } = JSON.parse(terminal.line) as Record<string, string>;
      const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
      for (let count = 0; count < 40; count += 1) {
        const url = `${proxyUrl}/v4/${projectId}/echo/run?webhookEndpoint=http%3A%2F%2F127.0.0.1%3A9%2F${'x'.repeat(200)}`;
        const answer = await fetch(url, { method: 'POST', headers, body: '{}' });
        assert.equal(answer.status, 200);
        await answer.arrayBuffer();
      }
      assert.equal(await terminal.terminate(), 0);
    });
});
