import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../scripts/checkout.ts';
import { systemClock } from '../../src/shared/async/clock.ts';
import { variantNames } from '../../src/suite/fixture/fixtureSchema.ts';
import { untilListening } from '../../src/suite/run/untilListening.ts';
import { findFreePort } from '../soak/freePort.ts';
import { Receiver } from '../support/http/receiver.ts';
import { plantedBugs } from '../support/deliveries/plantedBugs.ts';
import { pythonProgram } from '../support/processes/python.ts';
import type { ScreenElement } from '../support/workbench/screenElement.ts';
import { useWorkbench } from '../support/workbench/useWorkbench.ts';
import { waitFor } from '../support/time/waitFor.ts';

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
    const port = await findFreePort();
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
  const row = (name: string) => rows().filter({ hasText: name }).first();
  /** What each row says, without the time that it took: `repeat (Failed)`. */
  const said = async () => {
    const labels = await rows().evaluateAll((all: readonly ScreenElement[]) =>
      all.map((one) => one.getAttribute('aria-label') ?? ''),
    );
    return labels.map((label) => label.replace(/, in .*$/, ''));
  };
  /** The variants below a fixture that failed, once all have run. */
  /** The names of the variants as the file has them. */
  const failedOf = (app: string) =>
    waitFor(`what became of ${app}`, async () => {
      const all = await said();
      const below = all.slice(all.indexOf(`${app} (Failed)`) + 1).slice(0, variantNames.length);
      const isDone =
        all.includes(`${app} (Failed)`) && below.every((one) => /\((Failed|Passed)\)$/.test(one));
      return (
        isDone &&
        below
          .filter((one) => one.endsWith('(Failed)'))
          .map((one) => one.replace(/ · .*/, '').replace('as delivered', 'as it is'))
      );
    });

  it('shows them where the workspace has some, before Runhook is used in it', async () => {
    const beaker = ui.current.page.locator('.activitybar .action-label[aria-label^="Testing"]');
    await ui.current.click(beaker, row('.runhook/fixtures'));
    await ui.current.click(row('.runhook/fixtures'), row('reserialised'));
    assert.deepEqual(await said(), [
      '.runhook/fixtures (Not yet run)',
      'forgetful (Not yet run)',
      'reserialised (Not yet run)',
    ]);
    await row('forgetful').locator('.monaco-tl-twistie.collapsible').waitFor();
  });

  it('finds the bugs of both handlers', async () => {
    await ui.current.runCommand('Runhook: Set Webhook Secret…');
    await ui.current.page.locator('.quick-input-widget:visible input[type="password"]').waitFor();
    await ui.current.answer(secret);
    await ui.current.quickInput().waitFor({ state: 'hidden' });
    await ui.current.runCommand('Test: Run All Tests');
    await waitFor('the tests to end', async () => (await said())[0] === '.runhook/fixtures (Failed)');
    await ui.current.click(row('reserialised'), row('out-of-order'));
    assert.deepEqual(await failedOf('reserialised'), plantedBugs['python/reserialised.py']);
    await ui.current.click(row('forgetful'), row('as delivered'));
    assert.deepEqual(await failedOf('forgetful'), plantedBugs['node/forgetful.mjs']);
  });

  it('shows what was expected, what was answered and why, and the outcomes in the file', async () => {
    const results = ui.current.page.locator('.part.panel');
    const failure = results.getByRole('treeitem').filter({ hasText: /repeat.*GET \/count/ });
    const message = results.getByText('processed the repeat a second time');
    // The editor opens them by itself when a run begins, but not every time.
    await ui.current.runCommand('Test: Show Output');
    await ui.current.click(failure, message);
    await results.locator('p', { hasText: 'Expected a response that contains "1", got "2".' }).waitFor();
    await ui.current.openFile('forgetful.delivery.json');
    await ui.current.page
      .locator('.editor-instance .testing-run-glyph.codicon-testing-failed-icon')
      .first()
      .waitFor();
    await ui.current.pictures('test view');
  });
});

describe('a fixture that is sent before the address of the handler is set', () => {
  let handler: Receiver;
  before(async () => {
    handler = await Receiver.start();
  });
  after(() => handler.close());
  const ui = useWorkbench({
    settings: { 'security.workspace.trust.enabled': false },
    files: { '.runhook/fixtures/payment.delivery.json': '{ "body": 1 }' },
  });

  it('passes once it is set: the run goes on, and its results are shown', async () => {
    const { page } = ui.current;
    const row = (says: string) => page.locator(`.test-explorer .monaco-list-row[aria-label^="${says}"]`);
    const beaker = page.locator('.activitybar .action-label[aria-label^="Testing"]');
    await ui.current.click(beaker, row('.runhook/fixtures (Not yet run)'));
    const fixture = row('payment (Not yet run)');
    await ui.current.click(row('.runhook/fixtures (Not yet run)'), fixture);
    // It is of one variant: there is nothing to open.
    assert.equal(await fixture.locator('.monaco-tl-twistie.collapsible').count(), 0);
    await ui.current.runCommand('Test: Run All Tests');
    await ui.current.click(page.getByRole('button', { name: 'Forward to…' }), ui.current.quickInput());
    await ui.current.answer(handler.url);
    await row('.runhook/fixtures (Passed)').waitFor();
  });
});
