import assert from 'node:assert/strict';
import { fields } from '../../src/service/settings/appSettings.ts';
import { Receiver } from '../support/http/receiver.ts';
import { SettingsForm } from '../support/workbench/settingsForm.ts';
import { useWorkbench } from '../support/workbench/useWorkbench.ts';
import { waitFor } from '../support/time/waitFor.ts';

const isBelowApply = `document.activeElement.getBoundingClientRect().bottom >
  document.querySelector('.apply').getBoundingClientRect().top`;

describe('rows in a narrow side bar', function () {
  // Each test goes on where the one before has ended.
  this.bail(true);
  let handler: Receiver;
  const settings: Record<string, unknown> = { 'security.workspace.trust.enabled': false };
  before(async () => {
    handler = await Receiver.start();
    settings['runhook.listener.forwardTo'] = handler.url;
  });
  after(() => handler.close());
  const ui = useWorkbench({ sandbox: true, settings });
  const projects = () => ui.current.tree('Projects');
  const deliveries = () => ui.current.tree('Deliveries');

  /** Waits until a row shows this without being cut off. */
  const shown = (view: 'Projects' | 'Deliveries', label: string, words: RegExp) =>
    waitFor(`${label} ${String(words)}`, async () => {
      const rows = await ui.current.tree(view).visibleRows();
      return rows.some((row) => row.label === label && words.test(row.description));
    });
  const run = async (words: RegExp) => {
    const count = async () => (await deliveries().rows()).filter(({ label }) => label === 'echo').length;
    const before = await count();
    await projects().clickAction('echo', 'Run with Webhook', async () => (await count()) > before);
    // The icons of the row under the mouse take room.
    await ui.current.page.mouse.move(0, 0);
    await shown('Deliveries', 'echo', words);
  };
  /** Adds a fault, or takes it away. What is chosen is shown a moment after the list. */
  const simulate = async (fault: string, isOn = true) => {
    await ui.current.runCommand('Runhook: Simulate Sandbox Faults…');
    const box = ui.current.quickPick(fault).locator('.monaco-checkbox, input').first();
    const shows = (is: boolean) => waitFor(`${fault}: ${is}`, async () => (await box.isChecked()) === is);
    await shows(!isOn);
    await box.click();
    await shows(isOn);
    await ui.current.quickInput().press('Enter');
    await ui.current.quickInput().waitFor({ state: 'hidden' });
  };

  it('say the outcome of a delivery and its reason', async () => {
    await ui.current.resizeSideBar(290);
    handler.otherwise = (_, response) => response.writeHead(500).end('{"error": "KeyError: \'prompt\'"}');
    await run(/^500 "KeyError: 'prompt'" · now$/);
    const stack =
      "TypeError: Cannot read properties of undefined (reading 'id')\n    at handle (handler.js:2:14)";
    handler.otherwise = (_, response) => response.writeHead(500).end(stack);
    await run(/^500 "'id' of undefined" · now$/);
    const { promise, resolve: goOn } = Promise.withResolvers<undefined>();
    handler.otherwise = (_, response) => void promise.then(() => response.end('{}'));
    await run(/^waiting in handler · \d+ s$/);
    goOn(undefined);
    await shown('Deliveries', 'echo', /^200 · [\d.]+ m?s · now$/);
    await shown('Projects', 'echo', /^handler 200 · now$/);
    handler.otherwise = 500;
    await run(/^handler 500 · now$/);
    await shown('Projects', 'echo', /^handler 500 · now$/);
    const sent = handler.received.length;
    handler.otherwise = 200;
    await deliveries().clickAction('echo', 'Replay', () => handler.received.length > sent);
    await ui.current.page.mouse.move(0, 0);
    await shown('Deliveries', 'echo', /^200 · [\d.]+ m?s · now · r/);
    await deliveries().expand('echo');
    await waitFor('the time of the replay', async () =>
      (await deliveries().visibleRows()).some(({ description }) =>
        /^\d\d:\d\d:\d\d · replayed$/.test(description),
      ),
    );
    await simulate('bad-signature');
    await run(/^one digit changed · now$/);
    const before = handler.received.length;
    await deliveries().clickAction('echo', 'Replay', () => handler.received.length > before);
    await ui.current.page.mouse.move(0, 0);
    await shown('Deliveries', 'echo', /^handler 200 · mismatch · now$/);
    await shown('Projects', 'echo', /^handler 200 · mismatch/);
    await simulate('bad-signature', false);
    await handler.close();
    await run(/^handler not running · now$/);
    await simulate('body-changed');
    await run(/^body changed · now$/);
    await simulate('body-changed', false);
    await simulate('bad-signature');
    await run(/^one digit changed · now$/);
    await shown('Projects', 'Sandbox ⚠ bad-signature', /^$/);
    await projects().expand('echo');
    await ui.current.runCommand('View: Close All Editors');
  });

  it('say the state of apps, runs, accounts and keys', async () => {
    const icon = async (view: 'Projects' | 'Deliveries', label: string, words: RegExp) => {
      const row = (await ui.current.tree(view).visibleRows()).find(
        (one) => one.label === label && words.test(one.description),
      );
      return row?.icon;
    };
    await shown('Projects', 'echo', /^one digit changed/);
    assert.equal(
      await icon('Projects', 'echo', /^one digit/),
      await icon('Deliveries', 'echo', /^one digit/),
    );
    const runs = (await projects().visibleRows()).filter(({ label }) => /^\d\d:\d\d:\d\d$/.test(label));
    const words = runs.map(({ description }) => description);
    for (const one of ['handler 200', 'handler 500']) assert.ok(words.includes(one), words.join('\n'));
    await shown('Projects', 'ci', /^1 key expires\b/);
    await shown('Projects', 'preview', /^expired · staging$/);
    await shown('Projects', 'production', /^rejected · prod$/);
    await projects().expand('production');
    await shown('Projects', 'Token rejected', /^Set Token…/);
    await projects().expand('ci');
    await shown('Projects', 'laptop', /^6 days left$/);
    await shown('Projects', 'deploy-bot', /^until .*, \d{4}$/);
    await ui.current.pictures('narrow rows');
  });

  it('say that the listener is stopped, and start it', async () => {
    await ui.current.runCommand('Runhook: Stop Webhook Listener');
    await shown('Deliveries', 'Listener', /^stopped$/);
    await ui.current.pictures('narrow rows stopped');
    await deliveries().clickAction('Listener', 'Start Webhook Listener', async () => {
      return !(await deliveries().shows('Listener'));
    });
  });

  it('say the outcome at 200 % too', async () => {
    // What the zoom of a browser does: half as many pixels of CSS, each twice as large.
    await ui.current.page.setViewportSize({ width: 640, height: 400 });
    await shown('Deliveries', 'echo', /^one digit changed/);
    await ui.current.picture('narrow rows 200 percent');
  });

  it('leave room for a form whose Apply covers no field that has the focus', async () => {
    const form = new SettingsForm(ui.current);
    await ui.current.page.setViewportSize({ width: 1280, height: 800 });
    await projects().clickAction('hello', 'Edit App Settings', form.locator('[data-field="gpuCount"]'));
    // The output of the listener that was started may open at this moment.
    const panel = ui.current.page.locator('.part.panel:visible');
    await ui.current.runCommand('View: Hide Panel');
    await panel.waitFor({ state: 'hidden' });
    await ui.current.page.setViewportSize({ width: 640, height: 400 });
    const frame = await form.frame();
    await waitFor('a low page', () => frame.evaluate<boolean>('innerHeight < 400'));
    const hidden: string[] = [];
    // The first field has the focus already.
    await form.inner('gpuCount').focus();
    for (const { name } of fields) {
      // The browser scrolls to it as it does after Tab.
      await form.inner(name).focus();
      if (await frame.evaluate<boolean>(isBelowApply)) hidden.push(name);
    }
    assert.deepEqual(hidden, []);
  });
});
