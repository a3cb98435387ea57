import { useWorkbench } from '../support/useWorkbench.ts';

describe('the settings form', () => {
  const ui = useWorkbench();

  it('opens for an app of the sandbox', async () => {
    const workbench = ui.current;
    await workbench.runCommand('Runhook: Start Sandbox');
    await workbench.tree('Projects').row('Sandbox');
    await workbench.runCommand('Runhook: Edit App Settings…');
    await workbench.quickPick('echo').click();
    const form = workbench.webview();
    const gpus = form.locator('[data-field="gpuCount"] input');
    await gpus.fill('9');
    await form.locator('[data-field="memory"] input').fill('１２');
    await form.locator('[data-field="minReplicaCount"] input').fill('2');
    await form.locator('[data-field="compute"]').click();
    await workbench.screenshot('form-1');
    await form.locator('[data-field="compute"]').press('Escape');
    await gpus.fill('2');
    await form.locator('[data-field="memory"] input').fill('192');
    await workbench.screenshot('form-2');
    await gpus.press('Control+Enter');
    await form.locator('[data-status]', { hasText: 'Applied' }).waitFor();
    await workbench.screenshot('form-3');
  });
});
