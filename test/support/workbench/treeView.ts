import type { Locator, Page } from 'playwright-core';
import { clickUntil, type Outcome } from './clickUntil.ts';
import type { ScreenElement } from './screenElement.ts';
import { waitFor } from '../time/waitFor.ts';

/** A visible row of a tree view. */
export interface TreeRow {
  label: string;
  /** The dimmed text beside the label. */
  description: string;
  /** 1 for a root. */
  level: number;
  /** Undefined for a row without children. */
  expanded: boolean | undefined;
}

/** What can be read of a row, and the class names of its icon. */
interface VisibleRow {
  label: string;
  description: string;
  icon: string;
}

/** The text of each row up to the character that is cut off first: a text ends with an ellipsis where it is. */
const readUncut = `(title) => [...document.querySelectorAll('.pane')].filter((pane) =>
  pane.querySelector('.pane-header')?.getAttribute('aria-label')?.startsWith(title),
).flatMap((pane) => [...pane.querySelectorAll('.monaco-list-row')]).map((row) => {
  const read = (part) => {
    const element = row.querySelector(part);
    const text = element && document.createTreeWalker(element, NodeFilter.SHOW_TEXT).nextNode();
    if (!text) return '';
    const { right } = element.closest('.monaco-icon-label-container, .monaco-list-row').getBoundingClientRect();
    const edge = Math.min(right, row.getBoundingClientRect().right, innerWidth);
    const range = document.createRange();
    range.selectNodeContents(element);
    if (range.getBoundingClientRect().right <= edge + 1) return element.textContent.trim();
    for (let at = 0; at < text.data.length; at += 1) {
      range.setStart(text, at);
      range.setEnd(text, at + 1);
      if (range.getBoundingClientRect().right > edge - 12) return text.data.slice(0, at).trim() + '…';
    }
    return element.textContent.trim();
  };
  const icon = row.querySelector('.custom-view-tree-node-item-icon');
  return { label: read('.label-name'), description: read('.label-description'), icon: icon ? icon.className : '' };
})`;

/** Page object of a view in Runhook's side bar. Every method opens the view first. */
export class TreeView {
  readonly #page: Page;
  readonly #title: string;

  constructor(page: Page, title: string) {
    this.#page = page;
    this.#title = title;
  }

  /** Opens Runhook's side bar and expands this view. */
  async open(): Promise<Locator> {
    const pane = this.#pane();
    // Forced, because a badge may cover the icon; it passes the click on.
    const icon = this.#page.locator('.activitybar .action-label[aria-label^="Runhook"]');
    // After a reload VS Code may open the side bar at the same time; the click then closes it again.
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

  /** The visible rows, from top to bottom. */
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

  /** The rows as far as they can be read: without what is cut off at the edge of the view. */
  async visibleRows(): Promise<VisibleRow[]> {
    await this.open();
    return this.#page.evaluate<VisibleRow[]>(`(${readUncut})(${JSON.stringify(this.#title)})`);
  }

  /** Whether a row with exactly this label is visible now. */
  async shows(label: string): Promise<boolean> {
    return (await this.rows()).some((row) => row.label === label);
  }

  /** Waits for the first row with exactly this label, and scrolls a row that is half hidden into view. */
  async row(label: string): Promise<Locator> {
    const pane = await this.open();
    const exact = new RegExp(`^\\s*${label.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&')}\\s*$`);
    const row = pane
      .locator('.monaco-list-row')
      .filter({ has: this.#page.locator('.label-name', { hasText: exact }) })
      .first();
    await row.waitFor();
    await this.#scrollTo(row, pane.locator('.monaco-list').first());
    return row;
  }

  /** For the browser a row in part is in view, but what covers its middle takes the clicks. */
  async #scrollTo(row: Locator, list: Locator): Promise<void> {
    const [box, view] = await Promise.all([row.boundingBox(), list.boundingBox()]);
    if (box === null || view === null) return;
    const below = Math.max(0, box.y + box.height - (view.y + view.height));
    const hidden = box.y < view.y ? box.y - view.y : below;
    if (hidden === 0) return;
    await this.#page.mouse.move(view.x + view.width / 2, view.y + view.height / 2);
    await this.#page.mouse.wheel(0, hidden);
  }

  /** Whether calls of apps use the token of an account. */
  async isInUse(account: string): Promise<boolean> {
    return ((await (await this.row(account)).getAttribute('aria-label')) ?? '').includes(', in use');
  }

  /** Hovers over a row until its tooltip contains these words. */
  async showTooltip(label: string, words: string): Promise<Locator> {
    const tooltip = this.#page.locator('.monaco-hover:visible');
    const isShown = async () =>
      (await tooltip.allInnerTexts()).some((text) => text.replaceAll('\u00a0', ' ').includes(words));
    await clickUntil(`the mouse over ${label}`, isShown, async (timeout) => {
      // A row that was rendered again under the mouse shows a tooltip only when the mouse enters it again.
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

  /** Expands a row if it is collapsed. */
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

  /** Clicks an inline action of a row. @param action the start of its tooltip: `Run App` */
  async clickAction(label: string, action: string, outcome: Outcome): Promise<void> {
    await clickUntil(`${action} of ${label}`, outcome, (timeout) =>
      this.#uncovered(async () => {
        const row = await this.row(label);
        await row.hover({ timeout });
        await row.locator(`.action-label[aria-label^="${action}"]`).click({ timeout });
      }),
    );
  }

  /** Runs an app by its ▶, and has its response in a tab. @param way its tooltip */
  async run(app: string, way = 'Run with Webhook'): Promise<void> {
    await this.clickAction(app, way, this.#page.locator('.tab', { hasText: `Response of ${app} ` }).first());
  }

  /** Clicks an inline action that asks a question, and picks the answer. */
  async answerAction(label: string, action: string, answer: Locator): Promise<void> {
    await waitFor(`the answer to ${action} of ${label}`, async (timeout) => {
      if (!(await answer.isVisible())) await this.clickAction(label, action, answer);
      await answer.click({ timeout });
      await answer.waitFor({ state: 'hidden', timeout });
      return true;
    });
  }

  /** Clicks an action in the view's title. @param action the start of its tooltip: `Refresh` */
  async clickTitleAction(action: string, outcome: Outcome): Promise<void> {
    await clickUntil(`${action} of ${this.#title}`, outcome, (timeout) => this.#clickTitle(action, timeout));
  }

  /** Picks an item of the menu in the view's title. */
  async pickFromTitleMenu(item: string, outcome: Outcome): Promise<void> {
    await clickUntil(`${item} of ${this.#title}`, outcome, (timeout) =>
      this.#pick(item, timeout, () => this.#clickTitle('More Actions', timeout)),
    );
  }

  /** The items of a row's context menu, or of one within it. @param look called while the menu is open */
  async contextMenu(label: string, look?: () => Promise<unknown>, submenu?: string): Promise<string[]> {
    const menu = this.#page.locator('.monaco-menu');
    const lines = await waitFor(`the menu of ${label}`, async () => {
      // A refresh of the tree, or an editor that opens, may swallow the click or close the menu.
      await clickUntil(`a right click on ${label}`, menu.first(), (timeout) =>
        this.#openMenu(label, timeout),
      );
      if (submenu !== undefined) {
        if ((await menu.count()) < 2) await this.#menuItem(submenu).click({ timeout: 1000 });
        await menu.nth(1).waitFor({ timeout: 1000 });
      }
      const found = await menu.last().locator('.action-label:not(.separator)').allInnerTexts();
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

  /** Picks an item of a row's context menu. @param submenu the item that it is behind */
  async pickFromContextMenu(label: string, item: string, outcome: Outcome, submenu?: string): Promise<void> {
    await clickUntil(`${item} of ${label}`, outcome, (timeout) =>
      this.#pick(item, timeout, async () => {
        await this.#openMenu(label, timeout);
        if (submenu !== undefined) await this.#menuItem(submenu).click({ timeout });
      }),
    );
  }

  #menuItem(item: string): Locator {
    return this.#page.locator('.monaco-menu .action-label').getByText(item, { exact: true });
  }

  #openMenu(label: string, timeout: number): Promise<void> {
    return this.#uncovered(async () => (await this.row(label)).click({ button: 'right', timeout }));
  }

  async #clickTitle(action: string, timeout: number): Promise<void> {
    const header = (await this.open()).locator('.pane-header');
    await header.hover({ timeout });
    await header.locator(`.action-label[aria-label^="${action}"]`).click({ timeout });
  }

  /** Picks an item of the menu that `open` opens. A refresh of the tree may close the menu in between. */
  async #pick(item: string, timeout: number, open: () => Promise<unknown>): Promise<void> {
    const entry = this.#menuItem(item);
    // After a refresh of the tree the menu of another row may be open.
    const other = this.#page.locator('.monaco-menu').first();
    if (await other.isVisible()) await this.#page.keyboard.press('Escape');
    await open();
    await entry.waitFor({ timeout });
    await waitFor(
      `${item} to be picked`,
      async () => {
        if (!(await entry.isVisible())) return true;
        // A menu ignores clicks in its first moments, so that the click that opened it picks nothing.
        await entry.click({ timeout: 1000 });
        await entry.waitFor({ state: 'hidden', timeout: 200 });
        return true;
      },
      timeout,
    );
  }

  /** Moves the mouse away after a failed click, since a tooltip under the mouse may have covered the row. */
  async #uncovered(click: () => Promise<void>): Promise<void> {
    try {
      await click();
    } catch (error) {
      await this.#page.mouse.move(0, 0);
      throw error;
    }
  }
}
