import * as vscode from 'vscode';
import { type Expiring, expiringSoon, type NoticeHistory, noticeIsDue } from '../../model/expiryNotice.ts';
import { plainText } from '../../model/plainText.ts';
import { config } from '../config.ts';
import type { Log } from '../log.ts';
import { dates } from './dates.ts';
import type { KeyLists } from './keyLists.ts';
import type { Projects } from './projects.ts';
import type { Tokens } from './tokens.ts';

const t = vscode.l10n.t;
const historyKey = 'expiryNotice';
const hourMs = 60 * 60 * 1000;

/** Where the watch shows what it finds. */
export interface ExpiryDisplay {
  badge(badge: vscode.ViewBadge | undefined): void;
  /** Opens the Projects view. */
  show(): void;
  /** Time has passed: what is drawn in relation to now is to be drawn again. */
  redraw(): void;
}

/** Watches what expires soon: counts it in the view's badge, and says so once a day at most. */
export class ExpiryWatch implements vscode.Disposable {
  readonly #projects: Projects;
  readonly #tokens: Tokens;
  readonly #keyLists: KeyLists;
  readonly #state: vscode.Memento;
  readonly #display: ExpiryDisplay;
  readonly #log: Log;
  readonly #subscriptions: vscode.Disposable;
  #looking = false;

  constructor(
    projects: Projects,
    tokens: Tokens,
    keyLists: KeyLists,
    state: vscode.Memento,
    display: ExpiryDisplay,
    log: Log,
  ) {
    this.#projects = projects;
    this.#tokens = tokens;
    this.#keyLists = keyLists;
    this.#state = state;
    this.#display = display;
    this.#log = log;
    const timer = setInterval(() => {
      display.redraw();
      this.lookSoon();
    }, hourMs);
    this.#subscriptions = vscode.Disposable.from(
      projects.onDidChange(() => this.lookSoon()),
      keyLists.onDidChange(() => this.lookSoon()),
      new vscode.Disposable(() => clearInterval(timer)),
    );
  }

  /** Looks once for a burst of changes. */
  lookSoon(): void {
    if (this.#looking) return;
    this.#looking = true;
    setTimeout(() => {
      this.#looking = false;
      this.#look().catch((error: unknown) => this.#log.warn(String(error)));
    }, 100);
  }

  dispose(): void {
    this.#subscriptions.dispose();
    this.#looking = true;
  }

  async #look(): Promise<void> {
    const days = config.expiryWarningDays();
    const now = Date.now();
    const [kept, mounted] = await Promise.all([this.#all(false), this.#all(true)]);
    const soon = expiringSoon([...kept, ...mounted], now, days);
    const tooltip = t('{0} keys and tokens expire within {1} days', soon.length, days);
    this.#display.badge(soon.length > 0 ? { value: soon.length, tooltip } : undefined);
    // The sandbox's keys expire for show: nobody is to be told.
    await this.#tell(expiringSoon(kept, now, days), now);
  }

  async #tell(soon: readonly Expiring[], now: number): Promise<void> {
    const history = this.#state.get<NoticeHistory>(historyKey, {});
    const [first] = soon;
    if (first === undefined || !noticeIsDue(history, now)) return;
    await this.#state.update(historyKey, { ...history, lastShownAt: now } satisfies NoticeHistory);
    const when = dates.relative(first.expiresAt, now);
    const name = plainText(first.name);
    const message =
      soon.length === 1
        ? t('{0} expires {1}.', name, when)
        : t('{0} expires {1}, and {2} more expire soon.', name, when, soon.length - 1);
    const show = t('Show');
    const never = t("Don't Show Again");
    const answer = await vscode.window.showWarningMessage(message, show, never);
    if (answer === show) this.#display.show();
    if (answer === never) {
      await this.#state.update(historyKey, { ...history, never: true } satisfies NoticeHistory);
    }
  }

  async #all(mounted: boolean): Promise<Expiring[]> {
    const found: Expiring[] = [];
    for (const { id: projectId, serviceAccounts } of this.#projects.all()) {
      if ((this.#projects.mountedLabel(projectId) !== undefined) !== mounted) continue;
      for (const account of serviceAccounts) {
        const name = account.name ?? account.id;
        const token = await this.#tokens.state(this.#projects.tokenOwner(projectId, account.id));
        if (token.kind === 'stored' && token.expiresAt !== undefined) {
          found.push({ name: t('The token of {0}', name), expiresAt: token.expiresAt });
        }
        for (const key of this.#keyLists.knownKeys({ projectId, serviceAccountId: account.id })) {
          if (key.expiresAt === undefined) continue;
          found.push({ name: t('The key {0}', key.name ?? key.id ?? ''), expiresAt: key.expiresAt });
        }
      }
    }
    return found;
  }
}
