import type { Locator, Page } from 'playwright-core';
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
    if ((await header.getAttribute('aria-expanded')) === 'false') await header.click();
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

  /** Unfolds a row, where it is folded. */
  async expand(label: string): Promise<void> {
    await waitFor(`${label} to unfold`, async (patienceMs) => {
      // A tree that is drawn anew under the mouse swallows the click.
      const row = await this.row(label);
      const isFolded = async () => (await row.getAttribute('aria-expanded')) === 'false';
      if (!(await isFolded())) return true;
      await row.locator('.monaco-tl-twistie').click();
      return waitFor('the click', async () => !(await isFolded()), patienceMs);
    });
  }

  /** Clicks a button that a row shows under the mouse. @param action the start of its tooltip: `Run App` */
  async clickAction(label: string, action: string): Promise<void> {
    const row = await this.row(label);
    await row.hover();
    await row.locator(`.action-label[aria-label^="${action}"]`).click();
  }

  /** Clicks a button of a row that asks something, and picks an answer. A row that is drawn anew swallows the click. */
  async answerAction(label: string, action: string, answer: Locator): Promise<void> {
    await waitFor(`${action} of ${label}`, async (timeout) => {
      if (!(await answer.isVisible())) await this.clickAction(label, action);
      await answer.click({ timeout });
      return true;
    });
  }

  /** Clicks a button in the title of the view. @param action the start of its tooltip: `Refresh` */
  async clickTitleAction(action: string): Promise<void> {
    const header = (await this.open()).locator('.pane-header');
    await header.hover();
    await header.locator(`.action-label[aria-label^="${action}"]`).click();
  }

  /** Opens the menu in the title of the view and picks a line of it. */
  async pickFromTitleMenu(item: string): Promise<void> {
    const entry = this.#page.locator('.monaco-menu .action-label').getByText(item, { exact: true });
    await waitFor(`${item} to be picked`, async (patienceMs) => {
      if (!(await entry.isVisible())) await this.clickTitleAction('More Actions');
      // A menu takes no click in its first moments.
      await entry.click({ timeout: patienceMs });
      await entry.waitFor({ state: 'hidden', timeout: patienceMs });
      return true;
    });
  }

  /** What the context menu of a row offers. @param look called while it is open */
  async contextMenu(label: string, look?: () => Promise<unknown>): Promise<string[]> {
    const menu = this.#page.locator('.monaco-menu');
    // A tree that is drawn anew swallows the click, and so does an editor that opens.
    await waitFor(`the menu of ${label}`, async (timeout) => {
      await (await this.row(label)).click({ button: 'right', timeout });
      await menu.waitFor({ timeout });
      return true;
    });
    const lines = await menu.locator('.action-label:not(.separator)').allInnerTexts();
    await look?.();
    await this.#page.keyboard.press('Escape');
    await menu.waitFor({ state: 'hidden' });
    return lines.map((line) => line.trim());
  }

  /** Opens the context menu of a row and picks a line of it. */
  async pickFromContextMenu(label: string, item: string): Promise<void> {
    const entry = this.#page.locator('.monaco-menu .action-label').getByText(item, { exact: true });
    // A menu takes no click in its first moments, so that the one that opened it picks nothing; and a tree that is
    // drawn anew closes it.
    await waitFor(`${item} to be picked`, async (patienceMs) => {
      if (!(await entry.isVisible())) {
        // That of another row, which a tree that was drawn anew has put under the mouse, would be in the way.
        const other = this.#page.locator('.monaco-menu').first();
        if (await other.isVisible()) await this.#page.keyboard.press('Escape');
        await (await this.row(label)).click({ button: 'right', timeout: patienceMs });
      }
      await entry.click({ timeout: patienceMs });
      await entry.waitFor({ state: 'hidden', timeout: patienceMs });
      return true;
    });
  }
}
