import assert from 'node:assert/strict';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { SettingsForm } from '../support/workbench/settingsForm.ts';
import { useWorkbench } from '../support/workbench/useWorkbench.ts';
import { waitFor } from '../support/time/waitFor.ts';

const payload = '.runhook/payloads/sleep/nap.payload.json';
/** As the clone of a repository brings it, with what JSON alone does not have. */
const nap = '// As short as can be.\n{ "$runhook": { "webhook": false }, "seconds": 0, }\n';

describe('the first hour', () => {
  const ui = useWorkbench({ sandbox: true, files: { [payload]: nap } });
  const tree = () => ui.current.tree('Projects');
  const quickInput = () => ui.current.quickInput();
  const errors = () => ui.current.page.locator('.notifications-toasts .codicon-error');
  const lens = (text: string | RegExp) =>
    ui.current.page.locator('.codelens-decoration a', { hasText: text }).first();
  const runRow = async (fits: RegExp) =>
    waitFor(`a run like ${String(fits)}`, async () => {
      await tree().expand('echo');
      return (await tree().rows()).find(({ description }) => fits.test(description));
    });
  async function leaveQuestion(): Promise<void> {
    await quickInput().press('Escape');
    await quickInput().waitFor({ state: 'hidden' });
  }

  it('shows the delivery in the panel where a run has started the listener, and leaves the focus', async () => {
    await tree().run('echo');
    await ui.current.outputLine(/verified\s+(?:echo|—)\s+run-/);
    // Nor has the payload it, which is empty: the response is all that opens.
    assert.equal(await ui.current.page.locator(':is(.part.panel, .part.editor) :focus').count(), 0);
    assert.equal(await ui.current.page.locator('.editor-group-container .tab').count(), 1);
  });

  it('leaves Copy Run As… in silence', async () => {
    const copy = ui.current.quickPick('Copy Run As…');
    await ui.current.click(lens(/^…$/), copy);
    await ui.current.click(copy, ui.current.quickPick('cURL'));
    await leaveQuestion();
    // What failed would be said by now.
    await ui.current.runCommand('Runhook: Show Deliveries Output');
    assert.equal(await errors().count(), 0);
  });

  it('asks for a project where the row of a run has the focus', async () => {
    const run = await runRow(/ · verified$/);
    const { page } = ui.current;
    const isFocused = page.locator('.monaco-list-row.focused', { hasText: run.label });
    await tree().clickRow(run.label, isFocused);
    await tree().clickTitleAction('Add Project', quickInput());
    await page
      .locator('.quick-input-widget:visible .quick-input-title', { hasText: 'Add Project' })
      .waitFor();
    await leaveQuestion();
    assert.ok(!(await tree().rows()).some(({ label }) => /^[\da-f]{8}-/.test(label)));
  });

  it('has one item for a wait, which stops it, and waits no longer after a reload, which ends the sandbox', async () => {
    await ui.current.runCommand('Runhook: Simulate Sandbox Faults…');
    await ui.current.quickPick('hang').click();
    await quickInput().press('Enter');
    await quickInput().waitFor({ state: 'hidden' });
    const item = ui.current.statusBarItem(/echo .*: waiting for the delivery/);
    await tree().clickAction('echo', 'Run with Webhook', item);
    await runRow(/no delivery yet$/);
    await ui.current.runCommand('View: Close All Editors');
    await ui.current.picture('first hour wait');
    const stop = ui.current.page.getByText('Stop waiting for the delivery');
    await ui.current.click(item, stop);
    await ui.current.click(stop, async () => !(await item.isVisible()));
    await runRow(/· not delivered$/);
    await tree().clickAction('echo', 'Run with Webhook', item);
    await runRow(/no delivery yet$/);
    await ui.current.runCommand('View: Close All Editors');
    const loaded = ui.current.page.waitForEvent('load');
    await ui.current.runCommand('Developer: Reload Window');
    await loaded;
    await ui.current.ready();
    await runRow(/· not delivered$/);
    const waits = (await tree().rows()).filter(({ description }) => description.endsWith('no delivery yet'));
    assert.deepEqual(waits, []);
    assert.ok(!(await item.isVisible()));
    await tree().pickFromContextMenu('Sandbox ⚠ hang', 'Reset Sandbox', () => tree().shows('Sandbox'));
  });

  it('has a clean form after its settings were applied to several apps, and a cleared field is no change', async () => {
    const form = new SettingsForm(ui.current);
    await tree().clickAction('hello', 'Edit App Settings', form.locator('[data-field="gpuCount"]'));
    await form.enter('gpuCount', '2');
    await form.enter('cooldownPeriodSeconds', '60');
    await ui.current.click(form.locator('[data-action="applyToSeveral"]'), quickInput());
    assert.equal(await form.status(), 'Waiting for your input…');
    assert.equal(await form.canApply(), false);
    await ui.current.quickPick('hello').locator('.monaco-checkbox, input').first().click();
    await ui.current.quickPick('echo').locator('.monaco-checkbox, input').first().click();
    await quickInput().press('Enter');
    await ui.current.answerDialog('Apply');
    await waitFor('the apply', async () => (await form.status()) === 'Applied to 2 apps.');
    const marks = form.locator('.field.touched');
    assert.equal(await marks.count(), 0);
    assert.equal(await form.canApply(), false);
    assert.deepEqual(await form.preview(), {});
    assert.ok(!(await form.locator('main').innerText()).includes('elsewhere'));
    await form.enter('cooldownPeriodSeconds', '');
    const said = 'It cannot be unset and stays as last applied: 60.';
    await waitFor('what is said', async () => (await form.message('cooldownPeriodSeconds')) === said);
    assert.equal(await marks.count(), 0);
    assert.equal(await form.locator('[data-change-count]').innerText(), 'nothing');
    await ui.current.pictures('first hour form');
  });

  it('leaves the palette that takes the place of the question for a token in prod', async () => {
    await tree().pickFromContextMenu('production', 'Use Service Account', () => tree().isInUse('production'));
    const form = new SettingsForm(ui.current);
    const { page } = ui.current;
    await form.enter('cooldownPeriodSeconds', '70');
    await page.keyboard.press('Control+Enter');
    await ui.current.answerDialog('Apply');
    await page.getByText('The service rejected the token of production (401). Set a new one?').waitFor();
    await page.keyboard.press('F1');
    await waitFor('the failure', async () => /was revoked/.test(await form.status()));
    await page.keyboard.type('Runhook');
    await waitFor('what is typed', async () => (await quickInput().inputValue()) === '>Runhook');
    await leaveQuestion();
    await form.locator('[data-field="cooldownPeriodSeconds"]').press('Escape');
    await tree().pickFromContextMenu('ci', 'Use Service Account', () => tree().isInUse('ci'));
  });

  it('says of an account that its token was refused, until another one is set', async () => {
    const production = async () =>
      (await tree().rows()).find(({ label }) => label === 'production')?.description ?? '';
    await tree().expand('production');
    await waitFor('the refusal', async () => (await production()).startsWith('rejected'));
    await ui.current.picture('first hour refused');
    const copied = async () => String(await ui.current.page.evaluate('navigator.clipboard.readText()'));
    const isToken = async () => (await copied()).startsWith('eyJ');
    await tree().pickFromContextMenu('production', 'Copy New Sandbox Token', isToken);
    await tree().pickFromContextMenu('production', 'Set Token…', quickInput());
    await ui.current.answer(await copied());
    await waitFor('the new token', async () => (await production()).startsWith('prod · 90 days'));
    await tree().row('pipeline');
  });

  it('has the focus in its field again after the question about an account in prod', async () => {
    const isUsed = () => tree().isInUse('production');
    await tree().pickFromContextMenu('production', 'Use Service Account', isUsed);
    const form = new SettingsForm(ui.current);
    const { page } = ui.current;
    const field = form.locator('[data-field="cooldownPeriodSeconds"][focused]');
    const hasFocus = async () =>
      (await field.isVisible()) && (await (await form.frame()).evaluate<boolean>('document.hasFocus()'));
    await form.enter('cooldownPeriodSeconds', '70');
    await page.keyboard.press('Control+Enter');
    const question = page.locator('.monaco-dialog-box', { hasText: 'Apply 1 setting to hello in prod?' });
    // A key that comes before the question has the focus is the page's.
    await question.locator(':focus').waitFor();
    await form.isLeft();
    await page.keyboard.press('Escape');
    await waitFor('the focus', hasFocus);
    await tree().pickFromContextMenu('ci', 'Use Service Account', () => tree().isInUse('ci'));
  });

  it('runs a payload of a fresh clone at once, from its row', async () => {
    await ui.current.runCommand('View: Close All Editors');
    const rows = () => tree().rows();
    await waitFor('the payload of the workspace', async () => {
      await tree().expand('sleep');
      return (await rows()).some((row) => row.label === 'nap' && row.description === 'workspace');
    });
    const question = ui.current.page.locator('.monaco-dialog-box');
    await tree().clickAction('nap', 'Run App with This File', question);
    await question.getByText(`Run sleep with ${payload}?`).waitFor();
    await ui.current.picture('payload question');
    await ui.current.answerDialog('Run');
    await ui.current.editorLine(/^200 OK · /);
  });

  it('has the rows of payloads come and go with the disk, without a click', async () => {
    const folder = new URL(ui.current.page.url()).searchParams.get('folder')!;
    const pulled = join(folder, payload.replace('nap', 'pulled'));
    await writeFile(pulled, nap);
    await tree().row('pulled');
    await rm(pulled);
    await waitFor(
      'its row to go',
      async () => !(await tree().rows()).some(({ label }) => label === 'pulled'),
    );
  });

  it('leads to the project that was added, whose account and apps come next', async () => {
    await ui.current.runCommand('Runhook: Add Project…');
    for (const text of ['127.0.0.1:9', '127.0.0.1:9', 'p-own', 'Acme']) await ui.current.answer(text);
    await tree().row('Acme');
    await (await tree().open()).locator('.monaco-list:focus').waitFor();
  });

  it('has a project in sight that was added to a view that is full', async () => {
    for (const id of ['p-2', 'p-3', 'p-4', 'p-5', 'p-6']) {
      await ui.current.runCommand('Runhook: Add Project…');
      for (const text of [id, '']) await ui.current.answer(text);
      await waitFor(`the row of ${id}`, () => tree().shows(id));
    }
  });
});
