import assert from 'node:assert/strict';
import { readManifestBundle } from '../../scripts/l10n/bundles.ts';
import { useWorkbench } from '../support/workbench/useWorkbench.ts';
import { waitFor } from '../support/time/waitFor.ts';
import { themeNames } from '../support/workbench/workbench.ts';

/** What is read of a picture; see `ScreenElement`. */
interface ShownImage {
  alt: string;
  currentSrc: string;
  naturalWidth: number;
}

const steps = [
  ['Try the sandbox', 'sandbox'],
  ['Receive a webhook', 'webhook'],
  ['Break it, and see why', 'explanation'],
  ['Add a project', 'project'],
  ['Set a token', 'token'],
] as const;

type Title = (typeof steps)[number][0];

/** What the pictures show, in words. */
const pictures = readManifestBundle();

describe('the walkthrough', () => {
  // A narrower window leaves the pictures out.
  const ui = useWorkbench({ size: { width: 1720, height: 900 } });
  const step = (title: Title) => ui.current.page.locator('.getting-started-step', { hasText: title }).first();
  const done = async (): Promise<Title[]> => {
    const found: Title[] = [];
    for (const [title] of steps) {
      await step(title).waitFor();
      if ((await step(title).locator('.codicon.complete').count()) > 0) found.push(title);
    }
    return found;
  };
  const waitForDone = (...titles: Title[]) =>
    waitFor(`to be checked off: ${titles.join()}`, async () => (await done()).join() === titles.join());

  it('opens from the empty view', async () => {
    const { page } = ui.current;
    await ui.current.runCommand('Runhook: Send Test Delivery');
    const deliveries = ui.current.tree('Deliveries');
    await waitFor('the delivery', async () => (await deliveries.rows()).length > 0);
    await page.reload();
    await ui.current.ready();
    await waitFor('the walkthrough', async (patienceMs) => {
      const pane = await ui.current.tree('Projects').open();
      await pane.getByRole('button', { name: 'walkthrough', exact: true }).click({ timeout: patienceMs });
      await step('Try the sandbox').waitFor({ timeout: patienceMs });
      return true;
    });
    assert.ok(!(await done()).includes('Try the sandbox'));
  });

  it('checks off a step when it is done', async () => {
    const { page } = ui.current;
    const isDone = async () => (await done()).includes('Try the sandbox');
    await ui.current.click(page.getByRole('button', { name: 'Start Sandbox' }), isDone);
  });

  it('breaks a delivery, opens its explanation beside, and knows what was done before it was opened', async () => {
    const send = ui.current.page.getByRole('button', { name: 'Send a Delivery That Does Not Verify' });
    const reason = ui.current.webview().locator('.reason').first();
    await ui.current.click(step('Break it, and see why'), send);
    await ui.current.click(send, reason);
    assert.match(await reason.innerText(), /^newline after secret/i);
    await ui.current.picture('walkthrough and explanation');
    await waitForDone('Try the sandbox', 'Receive a webhook', 'Break it, and see why');
    await ui.current.runCommand('View: Close All Editors');
  });

  it('opens from the menu of the view', async () => {
    await ui.current.tree('Projects').pickFromTitleMenu('Open Walkthrough', step('Try the sandbox'));
    await waitForDone('Try the sandbox', 'Receive a webhook', 'Break it, and see why');
  });

  it('has a picture for every step in every theme', async () => {
    const picture = ui.current.page.locator('.getting-started-media img');
    for (const theme of themeNames) {
      await ui.current.setTheme(theme);
      for (const [title, name] of steps) {
        await waitFor(`the picture of ${name} (${theme})`, async (timeout) => {
          if (!(await step(title).getAttribute('class'))?.includes('expanded'))
            await step(title).click({ timeout });
          const { alt, currentSrc, naturalWidth } = await picture.evaluate((image) => {
            const { alt, currentSrc, naturalWidth } = image as unknown as ShownImage;
            return { alt, currentSrc, naturalWidth };
          });
          const isItsOwn = decodeURIComponent(currentSrc).includes(`/${name}.svg`);
          return alt === pictures[`walkthrough.${name}.picture`] && isItsOwn && naturalWidth > 0;
        });
        await ui.current.picture(`walkthrough ${theme} ${title}`);
      }
    }
  });
});
