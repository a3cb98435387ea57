import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { randomUUID } from 'node:crypto';
import { processesWithEnv } from '../../support/processes/processesWithEnv.ts';

const scripts = new URL('../../../scripts/', import.meta.url).href;

/** A script that goes on to its next step when the process of the one before has ended. */
const script = `
  const { runMain } = await import('${scripts}runMain.mjs');
  const { runOwned } = await import('${scripts}processes.mjs');
  const wait = ['-e', 'console.log("started"); setInterval(() => undefined, 1000)'];
  await runMain(async () => {
    for (let step = 0; step < 3; step += 1) await runOwned(process.execPath, wait, { output: 'inherit' });
  });
`;

// There are no such signals on Windows.
if (process.platform !== 'win32')
  describe('runMain', () => {
    for (const [signal, exitCode] of [
      ['SIGINT', 130],
      ['SIGTERM', 143],
    ] as const) {
      it(`leaves no process after ${signal}, not even that of a next step`, async () => {
        const mark = randomUUID();
        const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
          env: { ...process.env, RUNHOOK_TEST_MARK: mark },
          stdio: ['ignore', 'pipe', 'inherit'],
        });
        await once(child.stdout, 'data');
        assert.equal((await processesWithEnv(mark)).length, 2);
        child.kill(signal);
        const [code] = (await once(child, 'exit')) as [number];
        assert.equal(code, exitCode);
        const left = await processesWithEnv(mark);
        for (const { pid } of left) process.kill(pid, 'SIGKILL');
        assert.deepEqual(left, []);
      });
    }
  });
