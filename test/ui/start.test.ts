import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { cp, mkdir, mkdtemp, readdir, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { killListenerPrograms } from '../support/listener/listenerPrograms.ts';
import { browser } from '../support/workbench/session.ts';
import { processesWithEnv } from '../support/processes/processesWithEnv.ts';
import { waitFor } from '../support/time/waitFor.ts';
import { Workbench } from '../support/workbench/workbench.ts';
import { root, workFolder } from '../../scripts/checkout.ts';

/** Build results and large folders are not copied. */
const excluded = ['.git', '.vscode-test', 'node_modules', 'dist', 'out', 'runhook.vsix'];

/** Linked, because it is large and only read. `vsce` does not follow links to folders. */
const server = join('.vscode-test', 'server');

/** Copies the checkout, so that a test can build without changing what other tests use. The caller deletes the copy. */
async function copyCheckout(): Promise<string> {
  const copy = await mkdtemp(join(workFolder, 'data-checkout-'));
  for (const name of await readdir(root)) {
    if (!excluded.includes(name)) await cp(join(root, name), join(copy, name), { recursive: true });
  }
  await mkdir(join(copy, '.vscode-test'));
  await symlink(join(root, server), join(copy, server), 'dir');
  // Hard links: with a symbolic link esbuild would report the paths of the original folder.
  await promisify(execFile)('cp', ['-al', join(root, 'node_modules'), join(copy, 'node_modules')]);
  return copy;
}

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
