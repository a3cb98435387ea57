import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../scripts/checkout.ts';
import { systemClock } from '../../src/model/processes/clock.ts';
import { untilListening } from '../../src/suite/run/untilListening.ts';
import { freePort } from '../soak/freePort.ts';
import { pythonProgram } from '../support/python.ts';
import { useWorkbench } from '../support/useWorkbench.ts';
import { waitFor } from '../support/waitFor.ts';

const secret = 'the secret of the handlers';
const handlers = join(root, 'test/fixtures/handlers');
const fixture = JSON.parse(readFileSync(join(handlers, 'payment.delivery.json'), 'utf8')) as object;
const fixtureOf = (app: string) => JSON.stringify({ app, ...fixture }, undefined, 2);

describe('fixtures in the Test view of a person', function () {
  // Each test goes on where the one before has ended.
  this.bail(true);
  const apps: ChildProcess[] = [];
  const settings: Record<string, unknown> = { 'security.workspace.trust.enabled': false };

  async function start(program: string, ...args: string[]): Promise<string> {
    const port = await freePort();
    const env = { ...process.env, PORT: String(port), WEBHOOK_SECRET: secret };
    apps.push(spawn(program, args, { env, stdio: 'ignore' }));
    const url = `http://127.0.0.1:${port}`;
    assert.ok(await untilListening(new URL(url), systemClock, 60_000, new AbortController().signal));
    return url;
  }

  before(async () => {
    settings['runhook.listener.routes'] = {
      forgetful: await start(process.execPath, join(handlers, 'node/forgetful.mjs')),
      reserialised: await start(pythonProgram(), '-B', join(handlers, 'python/reserialised.py')),
    };
  });
  after(async () => {
    for (const app of apps) {
      app.kill();
      if (app.exitCode === null && app.signalCode === null) await once(app, 'close');
    }
  });

  const ui = useWorkbench({
    settings,
    files: {
      '.runhook/fixtures/forgetful.delivery.json': fixtureOf('forgetful'),
      '.runhook/fixtures/reserialised.delivery.json': fixtureOf('reserialised'),
    },
  });
  const rows = () => ui.current.page.locator('.test-explorer .monaco-list-row');
  const labels = () => rows().evaluateAll((all) => all.map((one) => one.getAttribute('aria-label') ?? ''));

  it('shows them where the workspace has some, before Runhook is used in it', async () => {
    await ui.current.runCommand('Testing: Focus on Test Explorer View');
    await waitFor('the fixtures', async () => (await labels()).some((label) => label.includes('fixtures')));
    console.log(await labels());
    await ui.current.screenshot('test view 1');
  });

  it('finds the bugs of both handlers', async () => {
    await ui.current.runCommand('Runhook: Set Webhook Secret…');
    await ui.current.page.locator('.quick-input-widget:visible input[type="password"]').waitFor();
    await ui.current.answer(secret);
    await ui.current.quickInput().waitFor({ state: 'hidden' });
    await ui.current.runCommand('Test: Run All Tests');
    await new Promise((r) => setTimeout(r, 25000));
    console.log(await labels());
    await ui.current.screenshot('test view 2');
    await ui.current.runCommand('Testing: Focus on Test Explorer View');
    await ui.current.screenshot('test view 3');
    await ui.current.openFile('forgetful.delivery.json');
    await new Promise((r) => setTimeout(r, 3000));
    await ui.current.screenshot('test view 4');
    console.log(await labels());
  });
});
