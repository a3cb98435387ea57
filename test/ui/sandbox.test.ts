import assert from 'node:assert/strict';
import { useWorkbench } from '../support/useWorkbench.ts';
import { waitFor } from '../support/waitFor.ts';

describe('the sandbox', () => {
  const ui = useWorkbench();
  const tree = () => ui.current.tree('Projects');
  const described = async (label: string) =>
    (await tree().rows()).find((row) => row.label === label)?.description ?? '';

  it('is there after one click in the empty view', async () => {
    const pane = await tree().open();
    await pane.getByRole('button', { name: 'Try the Sandbox' }).click();
    await tree().row('Sandbox');
    assert.match(await described('Sandbox'), /^running on 127\.0\.0\.1:\d+$/);
  });

  it('has keys in every state, and its apps', async () => {
    await tree().expand('ci');
    await tree().row('laptop');
    assert.equal(await described('laptop'), 'expires in 6 days');
    assert.match(await described('old-laptop'), /^expired/);
    await tree().row('stream');
    await ui.current.screenshot('sandbox');
  });

  it('is made to misbehave from its node, and shows that', async () => {
    await tree().pickFromContextMenu('Sandbox', 'Make Sandbox Misbehave…');
    await ui.current.quickPick('bad-signature').click();
    await ui.current.screenshot('sandbox faults');
    await ui.current.page.locator('.quick-input-widget:visible').getByRole('button', { name: 'OK' }).click();
    await waitFor('the fault', async () => /bad-signature$/.test(await described('Sandbox')));
    await tree().pickFromContextMenu('Sandbox', 'Reset Sandbox');
    await waitFor('no fault', async () => !/bad-signature/.test(await described('Sandbox')));
  });

  it('is stopped by the button of its node', async () => {
    await tree().clickAction('Sandbox', 'Stop Sandbox');
    const pane = await tree().open();
    await pane.getByRole('button', { name: 'Try the Sandbox' }).waitFor();
  });
});

describe('the sandbox that starts by itself', () => {
  const ui = useWorkbench({ settings: { 'runhook.sandbox.autoStart': true } });

  it('is there without a click, and again after a reload', async () => {
    await ui.current.tree('Projects').row('Sandbox');
    await ui.current.page.reload();
    await ui.current.ready();
    await ui.current.tree('Projects').row('Sandbox');
  });
});
