import assert from 'node:assert/strict';
import { readManifestBundle } from '../../scripts/l10n/bundles.ts';
import { useWorkbench } from '../support/useWorkbench.ts';
import { waitFor } from '../support/waitFor.ts';

/** What is read of a picture; see `ScreenElement`. */
interface ShownImage {
  alt: string;
  currentSrc: string;
  naturalWidth: number;
}

const steps = [
  ['Try the sandbox', 'sandbox'],
  ['Add a project', 'project'],
  ['Set a token', 'token'],
  ['Change a setting', 'settings'],
  ['Receive a webhook', 'webhook'],
] as const;

/** What the pictures show, in words. */
const pictures = readManifestBundle();

describe('the walkthrough', () => {
  // A narrower window leaves the pictures out.
  const ui = useWorkbench({ size: { width: 1720, height: 900 } });
  const step = (title: string) =>
    ui.current.page.locator('.getting-started-step', { hasText: title }).first();

  it('checks off a step when it is done', async () => {
    const { page } = ui.current;
    await ui.current.runCommand('Welcome: Open Walkthrough...');
    await ui.current.click(ui.current.quickPick('Get Started with Runhook'), step('Try the sandbox'));
    const isDone = async () => (await step('Try the sandbox').locator('.codicon.complete').count()) > 0;
    assert.equal(await isDone(), false);
    await ui.current.click(page.getByRole('button', { name: 'Start Sandbox' }), isDone);
  });

  it('has a picture for every step in every theme', async () => {
    const picture = ui.current.page.locator('.getting-started-media img');
    const shown = new Set<string>();
    for (const theme of ['light', 'dark', 'highContrast'] as const) {
      await ui.current.setTheme(theme);
      for (const [title, name] of steps) {
        const source = await waitFor(`the picture of ${name} (${theme})`, async (timeout) => {
          if (!(await step(title).getAttribute('class'))?.includes('expanded'))
            await step(title).click({ timeout });
          const { alt, currentSrc, naturalWidth } = await picture.evaluate((image) => {
            const { alt, currentSrc, naturalWidth } = image as unknown as ShownImage;
            return { alt, currentSrc, naturalWidth };
          });
          const isShown = alt === pictures[`walkthrough.${name}.picture`] && naturalWidth > 0;
          return isShown && !shown.has(currentSrc) ? currentSrc : undefined;
        });
        shown.add(source);
        await ui.current.screenshot(`walkthrough ${theme} ${title}`);
      }
    }
  });
});
