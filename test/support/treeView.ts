import type { Locator, Page } from 'playwright-core';
import { clickUntil, type Outcome } from './clickUntil.ts';
import type { ScreenElement } from './screenElement.ts';
import { waitFor } from './waitFor.ts';

/** A row of a tree view, as it is read on the screen. */
export interface TreeRow {
  label: string;
  /** The dimmed text beside the label. */
  description: string;
  /** 1 for a root. */
  level: number;
  /** Undefined for a row without children. */
  expanded: boolean | undefined;
}

/** A view in the side bar of Runhook. Every call opens it first, where it is not open. */
export class TreeView {
  readonly #page: Page;
  readonly #title: string;

  constructor(page: Page, title: string) {
    this.#page = page;
    this.#title = title;
  }

  /** Opens the side bar of Runhook and unfolds this view. */
  async open(): Promise<Locator> {
    const pane = this.#pane();
    // Forced: a badge may lie over the icon, and takes the click for it.
    const icon = this.#page.locator('.activitybar .action-label[aria-label^="Runhook"]');
    // A window that has just been reloaded may open the side bar by itself; the click then closes it again.
    await waitFor(`the view ${this.#title}`, async (patienceMs) => {
      if (await pane.isVisible()) return true;
      await icon.click({ force: true });
      await pane.waitFor({ timeout: patienceMs });
      return true;
    });
    const header = pane.locator('.pane-header');
    const isFolded = async () => (await header.getAttribute('aria-expanded')) === 'false';
    if (await isFolded())
      await clickUntil(
        `unfolding ${this.#title}`,
        async () => !(await isFolded()),
        (timeout) => header.click({ timeout }),
      );
    return pane;
  }

  #pane(): Locator {
    return this.#page.locator('.split-view-view:visible > .pane').filter({
      has: this.#page.locator(`.pane-header[aria-label^="${this.#title}"]`),
    });
  }

  /** The rows that are on the screen, from the top. */
  async rows(): Promise<TreeRow[]> {
    const pane = await this.open();
    const rows = await pane.locator('.monaco-list-row').evaluateAll((elements: readonly ScreenElement[]) =>
      elements.map((element) => ({
        label: element.querySelector('.label-name')?.textContent ?? '',
        description: element.querySelector('.label-description')?.textContent ?? '',
        level: Number(element.getAttribute('aria-level')),
        expanded: element.getAttribute('aria-expanded'),
        top: element.getBoundingClientRect().top,
      })),
    );
    return rows
      .sort((a, b) => a.top - b.top)
      .map(({ label, description, level, expanded }) => ({
        label: label.trim(),
        description: description.trim(),
        level,
        expanded: expanded === null ? undefined : expanded === 'true',
      }));
  }

  /** The first row with this label (the whole of it), once it is there. */
  async row(label: string): Promise<Locator> {
    const pane = await this.open();
    const exact = new RegExp(`^\\s*${label.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&')}\\s*$`);
    const row = pane
      .locator('.monaco-list-row')
      .filter({ has: this.#page.locator('.label-name', { hasText: exact }) })
      .first();
    await row.waitFor();
    return row;
  }

  /** Moves the mouse over a row until its tooltip says this. */
  async showTooltip(label: string, words: string): Promise<Locator> {
    const tooltip = this.#page.locator('.monaco-hover:visible');
    const isShown = async () =>
      (await tooltip.allInnerTexts()).some((text) => text.replaceAll('\u00a0', ' ').includes(words));
    await clickUntil(`the mouse over ${label}`, isShown, async (timeout) => {
      // What was drawn anew under the mouse shows none before the mouse comes again.
      await this.#page.mouse.move(0, 0);
      await (await this.row(label)).hover({ timeout });
    });
    return tooltip;
  }

  /** Clicks a row. */
  async clickRow(label: string, outcome: Outcome, modifiers: 'ControlOrMeta'[] = []): Promise<void> {
    await clickUntil(`a click on ${label}`, outcome, (timeout) =>
      this.#uncovered(async () => (await this.row(label)).click({ modifiers, timeout })),
    );
  }

  /** Unfolds a row, where it is folded. */
  async expand(label: string): Promise<void> {
    const isFolded = async () => (await (await this.row(label)).getAttribute('aria-expanded')) === 'false';
    if (!(await isFolded())) return;
    await clickUntil(
      `unfolding ${label}`,
      async () => !(await isFolded()),
      (timeout) =>
        this.#uncovered(async () => (await this.row(label)).locator('.monaco-tl-twistie').click({ timeout })),
    );
  }

  /** Clicks a button that a row shows under the mouse. @param action the start of its tooltip: `Run App` */
  async clickAction(label: string, action: string, outcome: Outcome): Promise<void> {
    await clickUntil(`${action} of ${label}`, outcome, (timeout) =>
      this.#uncovered(async () => {
        const row = await this.row(label);
        await row.hover({ timeout });
        await row.locator(`.action-label[aria-label^="${action}"]`).click({ timeout });
      }),
    );
  }

  /** Clicks a button of a row that asks something, and picks an answer. */
  async answerAction(label: string, action: string, answer: Locator): Promise<void> {
    await waitFor(`the answer to ${action} of ${label}`, async (timeout) => {
      if (!(await answer.isVisible())) await this.clickAction(label, action, answer);
      await answer.click({ timeout });
      await answer.waitFor({ state: 'hidden', timeout });
      return true;
    });
  }

  /** Clicks a button in the title of the view. @param action the start of its tooltip: `Refresh` */
  async clickTitleAction(action: string, outcome: Outcome): Promise<void> {
    await clickUntil(`${action} of ${this.#title}`, outcome, (timeout) => this.#clickTitle(action, timeout));
  }

  /** Opens the menu in the title of the view and picks a line of it. */
  async pickFromTitleMenu(item: string, outcome: Outcome): Promise<void> {
    await clickUntil(`${item} of ${this.#title}`, outcome, (timeout) =>
      this.#pick(item, timeout, () => this.#clickTitle('More Actions', timeout)),
    );
  }

  /** What the context menu of a row offers. @param look called while it is open */
  async contextMenu(label: string, look?: () => Promise<unknown>): Promise<string[]> {
    const menu = this.#page.locator('.monaco-menu');
    const lines = await waitFor(`the menu of ${label}`, async () => {
      // A tree that is drawn anew swallows the click, or closes the menu; so does an editor that opens.
      await clickUntil(`a right click on ${label}`, menu.first(), (timeout) =>
        this.#openMenu(label, timeout),
      );
      const found = await menu.locator('.action-label:not(.separator)').allInnerTexts();
      return found.length > 0 ? found : undefined;
    });
    await look?.();
    await clickUntil(
      'Escape',
      async () => (await menu.count()) === 0,
      () => this.#page.keyboard.press('Escape'),
    );
    return lines.map((line) => line.trim());
  }

  /** Opens the context menu of a row and picks a line of it. */
  async pickFromContextMenu(label: string, item: string, outcome: Outcome): Promise<void> {
    await clickUntil(`${item} of ${label}`, outcome, (timeout) =>
      this.#pick(item, timeout, () => this.#openMenu(label, timeout)),
    );
  }

  #openMenu(label: string, timeout: number): Promise<void> {
    return this.#uncovered(async () => (await this.row(label)).click({ button: 'right', timeout }));
  }

  async #clickTitle(action: string, timeout: number): Promise<void> {
    const header = (await this.open()).locator('.pane-header');
    await header.hover({ timeout });
    await header.locator(`.action-label[aria-label^="${action}"]`).click({ timeout });
  }

  /** Picks a line of a menu that `open` opens. A tree that is drawn anew may close it meanwhile. */
  async #pick(item: string, timeout: number, open: () => Promise<unknown>): Promise<void> {
    const entry = this.#page.locator('.monaco-menu .action-label').getByText(item, { exact: true });
    // That of another row, which a tree that was drawn anew has put under the mouse, would be in the way.
    const other = this.#page.locator('.monaco-menu').first();
    if (await other.isVisible()) await this.#page.keyboard.press('Escape');
    await open();
    await entry.waitFor({ timeout });
    await waitFor(
      `${item} to be picked`,
      async () => {
        if (!(await entry.isVisible())) return true;
        // A menu takes no click in its first moments, so that the one that opened it picks nothing.
        await entry.click({ timeout: 1000 });
        await entry.waitFor({ state: 'hidden', timeout: 200 });
        return true;
      },
      timeout,
    );
  }

  /** What opens over a row that the mouse is left on, such as a tooltip, covers others: the next attempt finds it gone. */
  async #uncovered(click: () => Promise<void>): Promise<void> {
    try {
      await click();
    } catch (error) {
      await this.#page.mouse.move(0, 0);
      throw error;
    }
  }
}
