import assert from 'node:assert/strict';
import { useWorkbench } from '../support/useWorkbench.ts';

describe('the workbench', () => {
  const ui = useWorkbench();

  it('shows the two views of Runhook', async () => {
    await ui.current.tree('Projects').open();
    await ui.current.tree('Deliveries').open();
    assert.deepEqual(await ui.current.notifications(), []);
  });

  for (const theme of ['light', 'dark', 'highContrast'] as const) {
    it(`can be looked at: ${theme}`, async () => {
      await ui.current.setTheme(theme);
      await ui.current.screenshot(`views ${theme}`);
    });
  }

  it('has its commands in the palette', async () => {
    await ui.current.openQuickInput('>Runhook: Start Sandbox');
    await ui.current.quickPick('Runhook: Start Sandbox').waitFor();
    await ui.current.page.keyboard.press('Escape');
  });
});
