import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { copyCheckout } from '../support/files/copyCheckout.ts';
import { killListenerPrograms } from '../support/listener/listenerPrograms.ts';
import { browser } from '../support/workbench/session.ts';
import { processesWithEnv } from '../support/processes/processesWithEnv.ts';
import { waitFor } from '../support/time/waitFor.ts';
import { Workbench } from '../support/workbench/workbench.ts';

/** How long `npm start` may take to come to where it is interrupted, on a busy machine. */
const startTimeoutMs = 60_000;

// A terminal's Ctrl-C reaches the whole group in front, which Windows has no way to send to another.
if (process.platform !== 'win32') describe('npm start', startTests);

function startTests(): void {
  let checkout: string;
  before(async () => {
    checkout = await copyCheckout();
  });
  after(async () => {
    // The listener program outlives its windows by a minute, and writes into the checkout until then.
    await killListenerPrograms(checkout);
    await rm(checkout, { recursive: true });
  });

  const stages = ['building and packing', 'installing runhook.vsix', 'starting VS Code'];
  for (const stage of stages) {
    it(`leaves no process when it is interrupted while ${stage}`, async () => {
      const start = npmStart(checkout);
      await waitFor(stage, () => start.output().includes(stage), startTimeoutMs);
      await start.interrupt();
    });
  }

  it('serves a workbench that has the sandbox after a click, and takes all of it away with Ctrl-C', async () => {
    const start = npmStart(checkout);
    const address = await waitFor(
      'the address',
      () => /VS Code with Runhook: (http\S+)/.exec(start.output())?.[1],
      startTimeoutMs,
    );
    const page = await (await browser()).newPage();
    await page.goto(address);
    const workbench = new Workbench(page, checkout);
    await workbench.ready();
    const tree = workbench.tree('Projects');
    const button = (await tree.open()).getByRole('button', { name: 'Try the Sandbox' });
    await workbench.click(button, () => tree.shows('Sandbox'));
    await start.interrupt();
    await workbench.close();
  });
}

/** Runs `npm start` as a terminal does: as the leader of a group that gets the signal as a whole. */
function npmStart(checkout: string) {
  const mark = randomUUID();
  const child = spawn('npm', ['start'], {
    cwd: checkout,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, DISPLAY: '', WAYLAND_DISPLAY: '', RUNHOOK_TEST_MARK: mark },
  });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const { pid } = child;
  return {
    output: () => output,
    async interrupt(): Promise<void> {
      assert.ok(pid !== undefined);
      assert.notDeepEqual(await processesWithEnv(mark), [], `it has ended already:\n${output}`);
      process.kill(-pid, 'SIGINT');
      await waitFor('every process to end', async () => (await processesWithEnv(mark)).length === 0).catch(
        async () => {
          const left = await processesWithEnv(mark);
          for (const one of left) process.kill(one.pid, 'SIGKILL');
          assert.deepEqual(left, [], 'processes are left');
        },
      );
    },
  };
}
