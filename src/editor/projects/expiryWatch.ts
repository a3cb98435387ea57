import * as vscode from 'vscode';
import type { AccountRef } from '../../service/projects/project.ts';
import { t } from '../../shared/text/l10n.ts';
import { plainText } from '../../shared/text/plainText.ts';
import { config, onConfigChange } from '../kit/config.ts';
import { settingIds } from '../kit/ids.ts';
import type { Log } from '../kit/log.ts';
import { accountState, expiringKeys, needsLook } from './accountState.ts';
import { dates } from './dates.ts';
import { ExpiryNotice } from './expiryNotice.ts';
import type { KeyLists } from './keyLists.ts';
import type { Projects } from './projects.ts';
import type { Tokens } from './tokens.ts';

const hourMs = 60 * 60 * 1000;

/** Where the watch shows what it finds. */
export interface ExpiryDisplay {
  badge(badge: vscode.ViewBadge | undefined): void;
  /** Shows a message. Resolves with the button that was clicked. */
  tell(message: string, ...buttons: string[]): Thenable<string | undefined>;
  /** Whether this window has the focus. */
  hasFocus(): boolean;
  /** Shows an account in the Projects view, with its keys. */
  show(ref: AccountRef): void;
  /** Redraws rows that depend on the current time: time has passed, or the warning period has changed. */
  redraw(): void;
}

export interface ExpiryWatchOptions {
  projects: Projects;
  tokens: Tokens;
  keyLists: KeyLists;
  /** Remembers when a notice was shown, and whether it is turned off. Shared by all windows. */
  state: vscode.Memento;
  display: ExpiryDisplay;
  log: Log;
  /** Milliseconds since 1970. */
  now: () => number;
}

/** A key or a stored token; `expiresAt` in milliseconds since 1970. */
interface Expiring {
  name: string;
  ref: AccountRef;
  expiresAt: number;
  /** Whether it belongs to a transient project. */
  transient: boolean;
}

/** Watches what expires soon: counts it in the view's badge, and shows a notice at most once a day. */
export class ExpiryWatch implements vscode.Disposable {
  readonly #options: ExpiryWatchOptions;
  readonly #subscriptions: vscode.Disposable;
  readonly #notice: ExpiryNotice;
  #pendingCheck: NodeJS.Timeout | undefined;

  constructor(options: ExpiryWatchOptions) {
    this.#options = options;
    const { projects, keyLists, state, display } = options;
    this.#notice = new ExpiryNotice(state, () => display.hasFocus());
    const redrawAndCheck = () => {
      display.redraw();
      this.lookSoon();
    };
    const timer = setInterval(redrawAndCheck, hourMs);
    this.#subscriptions = vscode.Disposable.from(
      projects.onDidChange(() => this.lookSoon()),
      keyLists.onDidChange(() => this.lookSoon()),
      onConfigChange([settingIds.keysExpiryWarningDays], redrawAndCheck),
      // By then this window knows whether the previously focused one has shown the notice.
      vscode.window.onDidChangeWindowState(({ focused }) => focused && this.lookSoon(1000)),
      new vscode.Disposable(() => clearInterval(timer)),
    );
    this.lookSoon();
  }

  /** Schedules one check for a burst of changes. @param afterMs how long to wait for the rest of the burst */
  lookSoon(afterMs = 100): void {
    this.#pendingCheck ??= setTimeout(() => {
      this.#pendingCheck = undefined;
      this.#check().catch((error: unknown) => this.#options.log.warn(String(error)));
    }, afterMs);
  }

  dispose(): void {
    this.#subscriptions.dispose();
    clearTimeout(this.#pendingCheck);
  }

  async #check(): Promise<void> {
    const { display } = this.#options;
    const days = config.expiryWarningDays();
    const now = this.#options.now();
    const { expiring, broken } = await this.#all(days, now);
    display.badge(badgeOf(expiring.length, days, broken));
    // The sandbox's keys expire only for demonstration: they cause no notice.
    const kept = expiring.filter(({ transient }) => !transient);
    await this.#tell(kept, now);
  }

  async #tell(soon: readonly Expiring[], now: number): Promise<void> {
    const { display } = this.#options;
    const [first] = soon;
    if (first === undefined) return;
    if (!(await this.#notice.take(now))) return;
    const when = dates.relative(first.expiresAt, now);
    const name = plainText(first.name);
    const message =
      soon.length === 1
        ? t('{0} expires {1}.', name, when)
        : t('{0} expires {1}, and {2} more expire soon.', name, when, soon.length - 1);
    const show = t('Show');
    const never = t("Don't Show Again");
    const answer = await display.tell(message, show, never);
    if (answer === show) display.show(first.ref);
    if (answer === never) await this.#notice.forgo();
  }

  /** What needs a look, as the rows say too: tokens that work no more, and what expires soon. */
  async #all(days: number, now: number): Promise<{ expiring: Expiring[]; broken: number }> {
    const { projects, tokens, keyLists } = this.#options;
    const expiring: Expiring[] = [];
    let broken = 0;
    for (const { id: projectId, serviceAccounts } of projects.all()) {
      const transient = projects.isTransient(projectId);
      for (const account of serviceAccounts) {
        const ref = { projectId, serviceAccountId: account.id };
        const state = accountState(await tokens.state(projects.tokenOwner(ref)), now, days);
        if (state.kind === 'expiring') {
          const name = t('The token of {0}', account.name ?? account.id);
          expiring.push({ name, ref, expiresAt: state.expiresAt, transient });
        } else if (needsLook(state)) {
          broken += 1;
        }
        for (const { name, id, expiresAt } of expiringKeys(keyLists.knownKeys(ref), now, days)) {
          expiring.push({ name: t('The key {0}', name ?? id ?? ''), ref, expiresAt, transient });
        }
      }
    }
    return { expiring: expiring.sort((one, other) => one.expiresAt - other.expiresAt), broken };
  }
}

/**
 * @param soon how many keys and tokens expire within the next days; @param broken how many accounts have a token that is
 * refused, expired or lost
 */
function badgeOf(soon: number, days: number, broken: number): vscode.ViewBadge | undefined {
  if (soon + broken === 0) return undefined;
  const expiring =
    soon === 1
      ? t('One key or token expires within {0} days', days)
      : t('{0} keys and tokens expire within {1} days', soon, days);
  const needed =
    broken === 1 ? t('One account needs a new token') : t('{0} accounts need a new token', broken);
  const tooltip = [...(broken === 0 ? [] : [needed]), ...(soon === 0 ? [] : [expiring])].join('\n');
  return { value: soon + broken, tooltip };
}
