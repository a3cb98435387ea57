import type { Frame, Locator } from 'playwright-core';
import type { ScreenElement } from './screenElement.ts';
import { waitFor } from '../time/waitFor.ts';
import { pageFrame } from './pageFrame.ts';
import type { Workbench } from './workbench.ts';

/** Page object of the visible settings form. */
export class SettingsForm {
  readonly #workbench: Workbench;

  constructor(workbench: Workbench) {
    this.#workbench = workbench;
  }

  locator(selector: string): Locator {
    return this.#workbench.webview().locator(selector);
  }

  get tab(): Locator {
    return this.#workbench.page.locator('.tab', { hasText: 'hello Settings' });
  }

  /** Shows `notes.txt` in its place, which ends its page. */
  async hide(): Promise<void> {
    await this.#workbench.openFile('notes.txt');
    await waitFor('the form to go', async () => !(await this.locator('main').isVisible()));
  }

  async show(): Promise<void> {
    await this.#workbench.click(this.tab, this.locator('main'));
  }

  /** The focusable element of a field, which has the accessible name, state and description. */
  inner(name: string): Locator {
    return this.locator(`[data-field="${name}"] :is(input, [role="combobox"])`);
  }

  /** Types into a text field, or selects an option of a choice. */
  async enter(name: string, text: string): Promise<void> {
    const control = this.locator(`[data-field="${name}"]`);
    if (
      (await control.evaluate((element) => (element as { localName: string }).localName)) ===
      'vscode-textfield'
    ) {
      await this.inner(name).fill(text);
      return;
    }
    const choice = control.locator('li').filter({ hasText: new RegExp(`^\\s*${text}\\s*$`) });
    await this.#workbench.click(control, choice);
    await this.#workbench.click(choice, async () => !(await choice.isVisible()));
  }

  async message(name: string): Promise<string> {
    return (await this.locator(`[data-message-for="${name}"]`).innerText()).trim();
  }

  /** The displayed body of the PATCH request. */
  async preview(): Promise<unknown> {
    return JSON.parse(await this.locator('[data-preview]').innerText());
  }

  async status(): Promise<string> {
    return (await this.locator('[data-status]').innerText()).trim();
  }

  /** Whether the button Apply is enabled. */
  async canApply(): Promise<boolean> {
    const button = this.locator('[data-action="apply"]');
    return !(await button.evaluate(
      (element: ScreenElement) => element.getAttribute('aria-disabled') === 'true',
    ));
  }

  async canUndo(): Promise<boolean> {
    const button = this.locator('[data-action="undo"]');
    return (await button.getAttribute('class')) !== 'off';
  }

  async clickApply(): Promise<void> {
    await this.locator('[data-action="apply"]').click();
  }

  /**
   * Waits until VS Code has noticed that something else has the focus, which a person's answer always comes after: it
   * looks four times a second. If it learns of that while it gives the focus back, the page does not get it.
   */
  async isLeft(): Promise<void> {
    const page = await this.frame();
    // Timers of a frame end in their order: one that ends after VS Code's has it told the workbench.
    await page.parentFrame()!.evaluate('new Promise((resolve) => setTimeout(resolve, 300))');
    await this.#workbench.page.evaluate('new Promise((resolve) => setTimeout(resolve))');
  }

  /** The frame of the webview's page. */
  async frame(): Promise<Frame> {
    return pageFrame(this.#workbench, 'form');
  }
}
