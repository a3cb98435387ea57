import assert from 'node:assert/strict';
import { clickUntil } from '../support/workbench/clickUntil.ts';
import { Receiver } from '../support/http/receiver.ts';
import { SettingsForm } from '../support/workbench/settingsForm.ts';
import { useWorkbench } from '../support/workbench/useWorkbench.ts';
import { waitFor } from '../support/time/waitFor.ts';

/** What is read of the element that has the focus; see `ScreenElement`. */
interface FocusedElement {
  readonly shadowRoot: { readonly activeElement: FocusedElement | null } | null;
  closest(selector: string): { getAttribute(name: string): string | null } | null;
}

declare const document: { readonly activeElement: FocusedElement | null };

// The form is the one webview. No test here moves the mouse.
describe('with the keyboard alone', function () {
  // Each test goes on where the one before has ended.
  this.bail(true);
  const ui = useWorkbench({ sandbox: true });
  let handler: Receiver;
  before(async () => {
    handler = await Receiver.start();
  });
  after(() => handler.close());
  const press = (key: string): Promise<void> => ui.current.page.keyboard.press(key);

  /** Runs a command of the palette. */
  async function run(title: string): Promise<void> {
    await waitFor(`${title} in the palette`, async (timeout) => {
      await ui.current.openQuickInput(`>${title}`);
      const line = ui.current.page.locator('.quick-input-list .monaco-list-row.focused', { hasText: title });
      // A view that is drawn anew takes its focus back, and the palette closes.
      await line.waitFor({ timeout });
      await clickUntil(
        'Enter',
        async () => !(await line.isVisible()),
        () => press('Enter'),
      );
      return true;
    });
    await ui.current.quickInput().waitFor({ state: 'hidden' });
  }

  /** Moves the focus of a view to the row with this label. */
  async function goTo(view: string, label: string): Promise<void> {
    await run(`Runhook: Focus on ${view} View`);
    const row = ui.current.page.locator('.pane .monaco-list:focus-within .monaco-list-row.focused');
    await press('Home');
    let last: string | null = null;
    let looks = 0;
    await waitFor(`the focus on ${label}`, async () => {
      if ((await row.count()) === 0) {
        // The view was drawn anew, or something that opened took the focus: as a person would, once more.
        await run(`Runhook: Focus on ${view} View`);
        await press('Home');
        return false;
      }
      const text = await row.locator('.label-name').textContent({ timeout: 1000 });
      if (text?.trim().startsWith(label)) return true;
      // A key that was meant for a list that has just gone may have folded the row.
      if ((await row.getAttribute('aria-expanded')) === 'false') await press('ArrowRight');
      // What the last key led to may not be drawn yet.
      if (text === last && (looks += 1) < 8) return false;
      // At the end a key changes nothing; one that was pressed before the row was drawn has led past it.
      const isAtEnd = text === last;
      await press(isAtEnd ? 'Home' : 'ArrowDown');
      last = isAtEnd ? null : text;
      looks = 0;
      return false;
    });
  }

  /** Picks a line of the menu of the row that has the focus. */
  async function pickOfMenu(item: string): Promise<void> {
    const line = ui.current.page.locator('.monaco-menu .action-item.focused', { hasText: item });
    const menu = ui.current.page.locator('.monaco-menu');
    await waitFor(`${item} in the menu`, async () => {
      if ((await line.count()) > 0) return true;
      // A view that is drawn anew closes it.
      if ((await menu.count()) === 0) await clickUntil('Shift+F10', menu, () => press('Shift+F10'));
      else await press('ArrowDown');
      return false;
    });
    await clickUntil(
      'Enter',
      async () => (await menu.count()) === 0,
      () => press('Enter'),
    );
  }

  /** The field or the button of the form that has the focus. */
  async function focused(): Promise<string> {
    const frame = await new SettingsForm(ui.current).frame();
    return frame.evaluate(() => {
      let element = document.activeElement;
      let name: string | null = null;
      while (element !== null) {
        const host = element.closest('[data-field], [data-action]');
        name = host?.getAttribute('data-field') ?? host?.getAttribute('data-action') ?? name;
        element = element.shadowRoot?.activeElement ?? null;
      }
      return name ?? '';
    });
  }

  /** Presses a button of the form, and waits for what it opens. */
  async function pressButton(name: string, opens: string): Promise<void> {
    await waitFor(`the focus on ${name}`, async () => {
      if ((await focused()) === name) return true;
      await press('Tab');
      return false;
    });
    await press('Enter');
    await ui.current.page.locator('.quick-input-widget:visible', { hasText: opens }).waitFor();
  }

  it('opens the form of an app from the tree', async () => {
    await run('Runhook: Focus on Projects View');
    // The last of what draws the whole tree anew when the sandbox starts.
    await ui.current.page
      .locator('.pane .monaco-list-row', { hasText: /1 key expires · dev/ })
      .first()
      .waitFor();
    await clickUntil(
      'the menu',
      new SettingsForm(ui.current).locator('[data-field="gpuCount"]'),
      async () => {
        await goTo('Projects', 'hello');
        await pickOfMenu('Edit App Settings');
      },
    );
  });

  it('reaches every control of the form, and leaves it again', async () => {
    const form = new SettingsForm(ui.current);
    const frame = await form.frame();
    const all = await frame
      .locator('[data-field], [data-action]:not([disabled]):not([inert])')
      .evaluateAll((elements) =>
        (elements as unknown as { getAttribute(name: string): string | null }[]).map(
          (element) => element.getAttribute('data-field') ?? element.getAttribute('data-action') ?? '',
        ),
      );
    assert.ok(all.length >= 12, all.join());
    const reached = new Set<string>();
    await waitFor('every control to have had the focus', async () => {
      await press('Tab');
      reached.add(await focused());
      return all.every((name) => name === 'apply' || reached.has(name));
    });
  });

  it('changes a value in the form and applies it', async () => {
    const form = new SettingsForm(ui.current);
    const gpus = form.locator('[data-field="gpuCount"][focused]');
    await waitFor('the focus on GPUs', async () => {
      if ((await gpus.count()) > 0) return true;
      await press('Tab');
      return false;
    });
    await ui.current.page.keyboard.type('2');
    await press('Control+Enter');
    await waitFor('the apply', async () => (await form.status()) === 'Applied 1 setting.');
    await press('Control+A');
    await ui.current.page.keyboard.type('3');
    await waitFor('the focus on Apply', async () => {
      if ((await form.locator('[data-action="apply"]:focus').count()) > 0) return true;
      await press('Tab');
      return false;
    });
    await press('Enter');
    await waitFor(
      'the second apply',
      async () => (await form.locator('[data-preview]').innerText()).trim() === '{}',
    );
    assert.equal(await form.status(), 'Applied 1 setting.');
    assert.equal(await focused(), 'apply');
  });

  it('loads an earlier apply and a preset into the form, and exports it', async () => {
    const form = new SettingsForm(ui.current);
    const body = () => form.locator('[data-preview]').innerText();
    await pressButton('showHistory', 'History of hello');
    await press('Enter');
    await ui.current.quickPick('Load into Form').waitFor();
    await press('ArrowUp');
    await press('Enter');
    await waitFor('the earlier apply', async () => (await body()).includes('"gpuCount": 3'));
    await pressButton('pickPreset', 'Presets');
    await press('Enter');
    await waitFor('the preset', async () => (await body()).includes('"minReplicaCount": 0'));
    await pressButton('exportToFile', 'Export');
    await press('Escape');
    await ui.current.quickInput().waitFor({ state: 'hidden' });
    // The focus is in the form again.
    await pressButton('pickPreset', 'Presets');
    await press('Escape');
    await ui.current.quickInput().waitFor({ state: 'hidden' });
    await form.locator('[data-action="pickPreset"] button:focus').waitFor();
    // Wherever it is there.
    await clickUntil(
      'Ctrl+Enter',
      async () => (await form.status()).startsWith('Applied '),
      () => press('Control+Enter'),
    );
  });

  it('runs an app with its webhook from the tree', async () => {
    const response = ui.current.page.locator('.tab', { hasText: /^Response of echo/ });
    await clickUntil('the menu', response, async () => {
      await goTo('Projects', 'echo');
      await pickOfMenu('Run with Webhook');
    });
    await ui.current.editorLine(/· ✓ verified/);
  });

  it('runs it again from its response, which has the focus again', async () => {
    const line = ui.current.page.locator('.monaco-editor.focused');
    await clickUntil('Ctrl+1', line, () => press('Control+1'));
    const runId = async () => (await ui.current.editorLines()).find((one) => one.includes('"run_id"'));
    const before = await runId();
    await run('Runhook: Run Again');
    await waitFor('the next response', async () => ![before, undefined].includes(await runId()));
    await line.waitFor();
  });

  it('opens the delivery from its view', async () => {
    const isOpen = async (): Promise<boolean> =>
      (await ui.current.editorLines()).some((line) => line.startsWith('  "body": {'));
    await clickUntil('Enter', isOpen, async () => {
      await goTo('Deliveries', 'echo');
      await press('Enter');
    });
  });

  it('explains the delivery from its menu', async () => {
    const explanation = ui.current.page.locator('.tab.active', { hasText: 'Explain' });
    await clickUntil('the menu', explanation, async () => {
      await goTo('Deliveries', 'echo');
      await pickOfMenu('Explain Delivery');
    });
    await ui.current.webview().getByText('The signature matches').first().waitFor();
  });

  it('sets where deliveries are forwarded to', async () => {
    await ui.current.openQuickInput('>Runhook: Forward to…');
    await ui.current.quickPick('Runhook: Forward to…').and(ui.current.page.locator('.focused')).waitFor();
    await press('Enter');
    await ui.current.page.locator('.quick-input-title', { hasText: 'Forward To' }).waitFor();
    const { host } = new URL(handler.url);
    await ui.current.page.keyboard.type(host);
    await press('Enter');
    await ui.current.page.locator('.pane-header', { hasText: host }).waitFor();
  });

  it('replays the delivery from its menu', async () => {
    await clickUntil(
      'the menu',
      () => handler.received.length > 0,
      async () => {
        await goTo('Deliveries', 'echo');
        await pickOfMenu('Replay');
      },
    );
  });

  it('edits the delivery and sends the draft', async () => {
    const draft = ui.current.page.locator('.tab.active', { hasText: 'Edit echo' });
    await clickUntil('the menu', draft, async () => {
      await goTo('Deliveries', 'echo');
      await pickOfMenu('Edit and Replay');
    });
    const before = handler.received.length;
    await pickOfMenu('Send, Signed Now');
    await waitFor('the draft', () => handler.received.length > before);
  });
});
