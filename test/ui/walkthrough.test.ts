import assert from 'node:assert/strict';
import { useWorkbench } from '../support/useWorkbench.ts';
import { waitFor } from '../support/waitFor.ts';

/** The steps, and a text that the picture of each has alone. */
const steps = [
  ['Try the sandbox', 'webhook sender'],
  ['Add a project', 'deploy-bot'],
  ['Set a token', '51 days left'],
  ['Change a setting', 'Apply 2 changes'],
  ['Receive a webhook', 'mismatch'],
] as const;

describe('the walkthrough', () => {
  // A narrower window leaves the pictures out.
  const ui = useWorkbench({ size: { width: 1720, height: 900 } });
  const step = (title: string) =>
    ui.current.page.locator('.getting-started-step', { hasText: title }).first();

  it('checks off a step when it is done', async () => {
    const { page } = ui.current;
    await ui.current.runCommand('Welcome: Open Walkthrough...');
    await ui.current.answer('Get Started with Runhook');
    await step('Try the sandbox').waitFor();
    const isDone = async () => (await step('Try the sandbox').locator('.codicon.complete').count()) > 0;
    assert.equal(await isDone(), false);
    await page.getByRole('button', { name: 'Start Sandbox' }).click();
    await waitFor('the first step to be checked off', isDone);
  });

  it('has a picture for every step', async () => {
    const frame = ui.current.page.frameLocator('iframe.webview.ready').frameLocator('#active-frame');
    for (const [title, shown] of steps) {
      await step(title).click();
      await frame.locator('svg text', { hasText: shown }).first().waitFor();
      await ui.current.screenshot(`walkthrough ${title}`);
    }
  });
});
