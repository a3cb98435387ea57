import assert from 'node:assert/strict';
import { isTaken } from '../soak/freePort.ts';
import { clickUntil } from '../support/workbench/clickUntil.ts';
import { SettingsForm } from '../support/workbench/settingsForm.ts';
import { useWorkbench } from '../support/workbench/useWorkbench.ts';
import { waitFor } from '../support/time/waitFor.ts';

/** Runs in the page: clicks an action of a row as soon as it is there, and again and again in the time after that. */
const clickOften = (
  label: string,
  action: string,
  times: number,
  everyMs: number,
) => `new Promise((resolve) => {
  const row = () => [...document.querySelectorAll('.monaco-list-row')]
    .find((one) => one.querySelector('.label-name')?.textContent.trim() === '${label}');
  let left = ${times};
  const timer = setInterval(() => {
    const target = row()?.querySelector('.action-label[aria-label^="${action}"]');
    if (!target) return;
    target.click();
    if (--left > 0) return;
    clearInterval(timer);
    resolve();
  }, ${everyMs});
})`;

describe('the sandbox', () => {
  // A tooltip is looked at.
  const ui = useWorkbench({ settings: { 'workbench.hover.delay': 300 } });
  const tree = () => ui.current.tree('Projects');
  const described = async (label: string) =>
    (await tree().rows()).find((row) => row.label === label)?.description ?? '';

  /** The row of the first app, while the focus is on it. */
  const firstApp = () =>
    ui.current.page.locator('.pane .monaco-list:focus .monaco-list-row.focused', { hasText: /^hello/ });

  /** Has it simulate a fault, and looks at the question. */
  const simulate = async (fault: string) => {
    const { page } = ui.current;
    const question = ui.current.quickPick(fault);
    await tree().pickFromContextMenu('Sandbox', 'Simulate Sandbox Faults…', question);
    await question.click();
    await ui.current.picture(`sandbox faults ${fault}`);
    const ok = page.locator('.quick-input-widget:visible').getByRole('button', { name: 'OK' });
    await ui.current.click(ok, () => tree().shows(`Sandbox ⚠ ${fault}`));
  };
  const reset = async (fault: string) =>
    tree().pickFromContextMenu(`Sandbox ⚠ ${fault}`, 'Reset Sandbox', () => tree().shows('Sandbox'));

  it('is found where nothing is set up: two views, and its command in the palette', async () => {
    await tree().open();
    await ui.current.tree('Deliveries').open();
    assert.deepEqual(await ui.current.notifications(), []);
    await ui.current.openQuickInput('>Runhook: Start Sandbox');
    await ui.current.quickPick('Runhook: Start Sandbox').waitFor();
    await ui.current.page.keyboard.press('Escape');
    await ui.current.quickInput().waitFor({ state: 'hidden' });
    await ui.current.pictures('views');
  });

  it('is there after Enter on the button of the empty view, with the focus on its first app', async () => {
    const button = (await tree().open()).getByRole('button', { name: 'Try the Sandbox' });
    await clickUntil('Enter', firstApp(), (timeout) => button.press('Enter', { timeout }));
    assert.equal(await described('Sandbox'), '');
    await ui.current.picture('sandbox focus');
  });

  it('has keys in every state, and its apps', async () => {
    await tree().expand('ci');
    await tree().row('laptop');
    assert.equal(await described('laptop'), '6 days left');
    assert.match(await described('old-laptop'), /^expired/);
    await tree().row('stream');
    await ui.current.picture('sandbox');
  });

  it('has an account an environment: one token is good, one has expired, one is refused', async () => {
    // The account is drawn again once its keys are there.
    await waitFor(
      'what the account says of its keys',
      async () => (await described('ci')) === '1 key expires · dev',
    );
    assert.match(await described('preview'), /^expired · staging$/);
    await tree().expand('production');
    await tree().row('Token rejected');
    const copied = async () => String(await ui.current.page.evaluate('navigator.clipboard.readText()'));
    const isToken = async () => (await copied()).startsWith('eyJ');
    await tree().pickFromContextMenu('production', 'Copy New Sandbox Token', isToken);
    await tree().pickFromContextMenu('production', 'Set Token…', ui.current.quickInput());
    await ui.current.answer(await copied());
    await tree().row('pipeline');
  });

  it('simulates faults when told so by its node, and shows that', async () => {
    await simulate('bad-signature');
    await reset('bad-signature');
  });

  it('says of a webhook that was left hanging how much of it came: in its answer, its row and the output', async () => {
    await simulate('hang');
    await tree().run('hello');
    await tree().expand('hello');
    await ui.current.editorLine(/^Not delivered yet: broke off at \d+ of \d+ bytes$/);
    await waitFor('its row', async () =>
      (await tree().rows()).some((row) => /^200 · broke off at \d+ of/.test(row.description)),
    );
    await ui.current.runCommand('Runhook: Show Deliveries Output');
    // The rest of the line may be below it: this window is narrow.
    await ui.current.outputLine(/^\d\d:\d\d:\d\d\.\d{3} +–/);
    await ui.current.picture('sandbox hang');
    await reset('hang');
  });

  it('has the headers and the request of a response folded that took its time', async () => {
    await ui.current.runCommand('View: Close All Editors');
    await simulate('latency');
    await tree().run('hello');
    await ui.current.editorLine(/^── Headers · \d+/);
    await waitFor('the folds', async () => {
      const lines = await ui.current.editorLines();
      return !lines.some((line) => /^ {2}(content-type: |→ http)/.test(line));
    });
    await reset('latency');
  });

  it('leaves the names in the form of an app when it is stopped, and is started from there', async () => {
    const form = new SettingsForm(ui.current);
    const start = form.locator('[data-action="startSandbox"]');
    await tree().clickAction('hello', 'Edit App Settings', form.locator('[data-field="gpuCount"]'));
    for (const value of ['2', '4']) {
      await form.enter('gpuCount', value);
      await form.clickApply();
      await waitFor('the apply', async () => (await form.status()) === 'Applied 1 setting.');
    }
    assert.equal(await form.canUndo(), true);
    await form.enter('gpuCount', '1');
    const title = () => form.locator('.title h1, .title > span').allInnerTexts();
    const before = await title();
    assert.deepEqual(before, ['hello', 'Sandbox', 'dev']);
    await ui.current.runCommand('Runhook: Stop Sandbox');
    await start.waitFor();
    assert.deepEqual(await title(), before);
    // Nothing is offered that only fails.
    for (const name of ['undo', 'applyToSeveral']) {
      const tool = form.locator(`[data-action="${name}"]`);
      assert.match((await tool.getAttribute('title')) ?? '', /^The sandbox is stopped\./);
      await tool.click();
    }
    assert.equal(await form.status(), '');
    await ui.current.picture('form of a stopped sandbox');
    await ui.current.click(start, async () => !(await start.isVisible()));
    assert.deepEqual(await form.preview(), { gpuCount: 1 });
    assert.equal(await form.canUndo(), true);
    await ui.current.runCommand('View: Close All Editors');
  });

  it('is there after a reload, on the same port, and takes every click on an app once that is drawn', async () => {
    const where = async () => {
      const words = 'running on 127.0.0.1:';
      const texts = await (await tree().showTooltip('Sandbox', words)).allInnerTexts();
      return texts.join().replaceAll('\u00a0', ' ');
    };
    const before = await where();
    const portOf = (text: string) => Number(/running on 127\.0\.0\.1:(\d+)/.exec(text)?.[1]);
    assert.ok(portOf(before) > 0, before);
    await ui.current.runCommand('View: Close All Editors');
    await ui.current.page.reload();
    await ui.current.ready();
    await tree().open();
    await ui.current.page.evaluate(clickOften('hello', 'Run with Webhook', 20, 100));
    await ui.current.editorLine(/^\s*\{/);
    assert.deepEqual(await ui.current.notifications(), []);
    const [old, now] = [portOf(before), portOf(await where())];
    // Any connection of this machine may have been given it meanwhile.
    if (now !== old) assert.ok(await isTaken(old), `from ${old} to ${now}`);
  });

  it('is stopped by the button of its row, which starts it again', async () => {
    await tree().clickAction(
      'Sandbox',
      'Stop Sandbox',
      async () => (await described('Sandbox')) === 'stopped',
    );
    await ui.current.picture('sandbox stopped');
    await tree().clickAction('Sandbox', 'Start Sandbox', () => tree().shows('echo'));
  });

  it('has the focus on its row where it is stopped from there', async () => {
    const row = ui.current.page.locator('.monaco-list:focus .monaco-list-row.focused', {
      hasText: 'stopped',
    });
    await tree().pickFromContextMenu('Sandbox', 'Stop Sandbox', row);
    await ui.current.page.keyboard.press('Enter');
    await firstApp().waitFor();
  });

  it('is started from the palette as well, with the focus on its first app', async () => {
    await tree().clickAction(
      'Sandbox',
      'Stop Sandbox',
      async () => (await described('Sandbox')) === 'stopped',
    );
    await ui.current.runCommand('Explorer: Focus on Folders View');
    await ui.current.runCommand('Runhook: Start Sandbox');
    await firstApp().waitFor();
  });
});

describe('the sandbox that cannot start', () => {
  const ui = useWorkbench({ settings: { 'runhook.sandbox.apps': { mine: 'ftp://localhost' } } });

  it('says so and why in the view, and is started by a click on it', async () => {
    const tree = ui.current.tree('Projects');
    const button = (await tree.open()).getByRole('button', { name: 'Try the Sandbox' });
    await ui.current.click(button, () => tree.shows('Sandbox'));
    const { description } = (await tree.rows()).find(({ label }) => label === 'Sandbox')!;
    assert.match(description, /^failed: The app mine has the address "ftp:\/\/localhost"/);
    await ui.current.picture('sandbox failed');
    const told = async () =>
      (await ui.current.notifications()).find((text) => text.includes('ftp://localhost'));
    await tree.clickRow('Sandbox', told);
    assert.match((await told()) ?? '', /not an http or https address/);
  });
});
