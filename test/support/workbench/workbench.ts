import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { FrameLocator, Locator, Page } from 'playwright-core';
import { takeScreenshot } from '../../../scripts/test/workbenchPage.ts';
import { clickUntil, type Outcome } from './clickUntil.ts';
import { readViewLines } from './screenElement.ts';
import { TreeView } from './treeView.ts';
import { waitFor } from '../time/waitFor.ts';

/** The emulated system settings for each theme, and the CSS class that the workbench then has. */
const themes = {
  light: { system: { colorScheme: 'light', contrast: 'no-preference' }, className: 'vs' },
  dark: { system: { colorScheme: 'dark', contrast: 'no-preference' }, className: 'vs-dark' },
  highContrast: { system: { colorScheme: 'dark', contrast: 'more' }, className: 'hc-black' },
} as const;

export type Theme = keyof typeof themes;

export const themeNames = Object.keys(themes) as Theme[];

/** Set by `npm run test:ui -- --pictures`. */
const takesPictures = process.env.RUNHOOK_TEST_PICTURES !== undefined;

/** How long a palette may take to list a command before it is opened again, in milliseconds. */
const longestLookMs = 15_000;

/**
 * Page object of a real VS Code workbench in a browser, with Runhook installed. Every method waits for its condition, and
 * names the condition when it fails.
 *
 * In a UI test (`test/ui/*.test.ts`, run by `npm run test:ui`; `npm run test:ui -- --grep 'the form'` picks
 * by name):
 *
 *     import { useWorkbench } from './useWorkbench.ts';
 *
 *     describe('the sandbox', () => {
 *       const ui = useWorkbench({ settings: { 'runhook.keys.expiryWarningDays': 30 } });
 *
 *       it('puts its project into the tree', async () => {
 *         const workbench = ui.current;
 *         await workbench.runCommand('Runhook: Start Sandbox');
 *         await workbench.tree('Projects').row('Sandbox');
 *         await workbench.picture('sandbox');
 *       });
 *     });
 *
 * For anything else, use Playwright on `workbench.page`.
 */
export class Workbench {
  readonly page: Page;
  readonly #screenshots: string;

  /** @param screenshots the folder for screenshots */
  constructor(page: Page, screenshots: string) {
    this.page = page;
    this.#screenshots = screenshots;
  }

  /** Waits until the workbench is rendered and Runhook's icon is there. */
  async ready(): Promise<void> {
    await this.page.locator('.monaco-workbench .part.statusbar').waitFor();
    await this.page.locator('.activitybar .action-label[aria-label^="Runhook"]').waitFor();
  }

  /** Runs a command from the palette. @param title as shown there: `Runhook: Start Sandbox` */
  async runCommand(title: string): Promise<void> {
    await waitFor(`the command ${title}`, async (patienceMs) => {
      await this.openQuickInput(`>${title}`);
      // The palette closes if something else takes the focus, such as a page that is opening. One that was opened before
      // the commands of an extension were there does not get them: it has to be opened again.
      await this.quickPick(title)
        .first()
        .click({ timeout: Math.min(2 * patienceMs, longestLookMs) });
      return waitFor('the palette to take it', async () => !(await this.#holds(`>${title}`)), patienceMs);
    });
  }

  /** Clicks an element until the click has its outcome: see `clickUntil`. */
  async click(target: Locator, outcome: Outcome, modifiers: 'ControlOrMeta'[] = []): Promise<void> {
    await clickUntil(`a click on ${String(target)}`, outcome, (timeout) =>
      target.click({ modifiers, timeout }),
    );
  }

  /** Opens a file of the workspace. */
  async openFile(name: string): Promise<void> {
    await clickUntil(
      `opening ${name}`,
      this.page.locator('.tab.active', { hasText: name }),
      async (timeout) => {
        await this.openQuickInput(name);
        await this.quickPick(name).first().click({ timeout });
      },
    );
  }

  /** Opens the quick input with a text: a file name, or a command after `>`. */
  async openQuickInput(text: string): Promise<void> {
    const input = this.quickInput();
    await waitFor('the quick input', async (patienceMs) => {
      await this.page.keyboard.press('F1');
      await input.waitFor({ timeout: patienceMs });
      // A quick input that is closing accepts no text.
      await input.fill(text, { timeout: patienceMs });
      return true;
    });
  }

  /** The text field of the open quick input. */
  quickInput(): Locator {
    return this.page.locator('.quick-input-widget:visible .quick-input-box input');
  }

  /** An item of the open quick pick, by its exact label. */
  quickPick(label: string): Locator {
    return this.page
      .locator('.quick-input-widget:visible .quick-input-list .monaco-list-row')
      .filter({ has: this.page.getByText(label, { exact: true }) });
  }

  /** Enters a text into the open input box. Resolves when the box has closed or shows an error. */
  async answer(text: string): Promise<void> {
    const input = this.quickInput();
    await input.waitFor();
    await input.fill(text);
    const problem = this.page.locator('.quick-input-widget:visible .monaco-inputbox:is(.warning, .error)');
    await clickUntil(
      'Enter',
      async () => !(await this.#holds(text)) || (await problem.isVisible()),
      (timeout) => input.press('Enter', { timeout }),
    );
  }

  /** Whether the open quick input contains exactly this text. */
  async #holds(text: string): Promise<boolean> {
    const values = await this.quickInput().evaluateAll((inputs) =>
      (inputs as unknown as { value: string }[]).map(({ value }) => value),
    );
    return values.includes(text);
  }

  /** Clicks a button of the modal dialog. */
  async answerDialog(name: string): Promise<void> {
    const button = this.page.locator('.monaco-dialog-box').getByRole('button', { name });
    await this.click(button, async () => !(await button.isVisible()));
  }

  /** Drags the edge of the side bar. */
  async resizeSideBar(width: number): Promise<void> {
    const sideBar = this.page.locator('.part.sidebar');
    const now = async () => (await sideBar.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
    const { x, y, width: before, height } = await now();
    await this.page.mouse.move(x + before, y + height / 2);
    await this.page.mouse.down();
    await this.page.mouse.move(x + width, y + height / 2, { steps: 5 });
    await this.page.mouse.up();
    await waitFor(`a side bar of ${width} px`, async () => Math.abs((await now()).width - width) <= 1);
  }

  /** A view in Runhook's side bar. @param title `Projects`, `Deliveries` */
  tree(title: string): TreeView {
    return new TreeView(this.page, title);
  }

  /** The content of the visible webview. */
  webview(): FrameLocator {
    return this.page.frameLocator('iframe.webview.ready:visible').frameLocator('#active-frame');
  }

  /** The visible lines of the output panel. */
  async outputLines(): Promise<string[]> {
    return this.page.locator('.part.panel .view-line').evaluateAll(readViewLines);
  }

  /** Waits for a visible line in the output panel and returns it. */
  async outputLine(pattern: RegExp, timeoutMs?: number): Promise<string> {
    return waitFor(
      `a line like ${String(pattern)} in the output panel`,
      async () => (await this.outputLines()).find((line) => pattern.test(line)),
      timeoutMs,
    );
  }

  /** The links in a line of the output panel. A link under the mouse while Ctrl is pressed has another class. */
  outputLinks(lineText: string): Locator {
    const line = this.page.locator('.part.panel .view-line', { hasText: lineText });
    return line.locator('.detected-link, .detected-link-active');
  }

  /** The visible text of the active editor. */
  async editorText(): Promise<string> {
    const group = this.page.locator('.part.editor .editor-group-container.active');
    return (await group.locator('.monaco-editor .view-line').evaluateAll(readViewLines)).join('\n');
  }

  /** Focuses the active editor. After a quick input the focus returns late, and earlier key presses would be lost. */
  async focusEditor(): Promise<void> {
    const group = this.page.locator('.part.editor .editor-group-container.active');
    await group.locator('.view-line').first().click();
    await group.locator('.monaco-editor.focused').waitFor();
  }

  /** Opens the quick fixes at the cursor and finds one. Retries, because an updated diagnostic closes them. */
  async quickFix(title: string): Promise<Locator> {
    const fix = this.page.locator('.action-widget').getByText(title);
    return waitFor(`the fix "${title}"`, async (timeout) => {
      await this.page.keyboard.press('Control+.');
      await fix.waitFor({ timeout });
      return fix;
    });
  }

  /** The visible lines of all editors. */
  async editorLines(): Promise<string[]> {
    return this.page.locator('.part.editor .monaco-editor .view-line').evaluateAll(readViewLines);
  }

  /** Waits for a visible line in any editor and returns it. */
  async editorLine(pattern: RegExp, timeoutMs?: number): Promise<string> {
    return waitFor(
      `a line like ${String(pattern)} in an editor`,
      async () => (await this.editorLines()).find((line) => pattern.test(line)),
      timeoutMs,
    );
  }

  /** The messages of the visible notifications. */
  async notifications(): Promise<string[]> {
    return this.page.locator('.notifications-toasts .notification-list-item-message').allInnerTexts();
  }

  /** An item of the status bar, by a part of its text. */
  statusBarItem(text: string | RegExp): Locator {
    return this.page.locator('.part.statusbar .statusbar-item').filter({ hasText: text });
  }

  /** Changes the emulated system colours, which the workbench follows: see `followSystemColors`. */
  async setTheme(theme: Theme): Promise<void> {
    const { system, className } = themes[theme];
    await this.page.emulateMedia(system);
    await this.page.locator(`.monaco-workbench.${className}`).waitFor();
  }

  /** Takes a screenshot to look at, but only for `npm run test:ui -- --pictures`: no test reads it. */
  async picture(name: string): Promise<void> {
    if (takesPictures) await this.screenshot(name);
  }

  /**
   * Takes a picture in each theme, named `<name> <theme>`, like `picture`.
   * @param show what has to be on the screen meanwhile
   */
  async pictures(
    name: string,
    show: (take: () => Promise<void>) => Promise<unknown> = (take) => take(),
  ): Promise<void> {
    for (const theme of takesPictures ? themeNames : []) {
      await this.setTheme(theme);
      await show(() => this.picture(`${name} ${theme}`));
    }
  }

  /** Takes a screenshot. @returns the path of the PNG */
  async screenshot(name: string, folder = this.#screenshots): Promise<string> {
    const path = join(folder, `${name.replaceAll(/[^\w.-]+/g, '-')}.png`);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, await takeScreenshot(this.page));
    return path;
  }

  /** Takes a screenshot of a failed test, and prints the accessibility tree, for logs without the picture. */
  async keepFailure(title: string): Promise<void> {
    await this.screenshot(`failed ${title}`);
    const shown = await this.page.locator('.monaco-workbench').ariaSnapshot();
    console.error(`\nWhat was on the screen when "${title}" failed:\n${shown.slice(0, 8000)}`);
  }

  async close(): Promise<void> {
    await this.page.context().close();
  }
}
