import * as vscode from 'vscode';
import type { AppSettings } from '../../model/settings/appSettings.ts';
import type { FormApp } from '../../model/settings/formProtocol.ts';

/** One apply that the service took. */
export interface Applied {
  /** Milliseconds since 1970; grows with every apply of the app. */
  at: number;
  /** What the PATCH carried. */
  sent: AppSettings;
  /** What was known before it, and after it; where its answer could not be read, what it sent is not known after it. */
  before: AppSettings;
  after: AppSettings;
}

/** What is kept of an app. The service has no read endpoint, so this is all that anybody knows. */
interface AppRecord {
  /** Of the service that it was applied to: another service has another app of that name. */
  origin: string;
  /** Newest first. */
  history: Applied[];
}

const kept = 20;

/** What was applied from this machine, by project and app. Other windows write here too. */
export class AppliedSettings implements vscode.Disposable {
  readonly #state: vscode.Memento;
  readonly #now: () => number;
  readonly #originOf: (projectId: string) => string;
  readonly #changed = new vscode.EventEmitter<FormApp>();
  readonly onDidChange = this.#changed.event;

  /**
   * @param now milliseconds since 1970
   * @param originOf the origin of the service that a project is of
   */
  constructor(state: vscode.Memento, now: () => number, originOf: (projectId: string) => string) {
    this.#state = state;
    this.#now = now;
    this.#originOf = originOf;
  }

  /** The applies of an app, newest first. */
  history(app: FormApp): readonly Applied[] {
    const record = this.#state.get<AppRecord>(keyOf(app));
    return record?.origin === this.#originOf(app.projectId) ? record.history : [];
  }

  /** What is believed to be in force; a field that is not there is not known. */
  known(app: FormApp): AppSettings {
    return this.history(app)[0]?.after ?? {};
  }

  /** @param answered what the answer to the PATCH carried: it wins */
  async add(app: FormApp, sent: AppSettings, answered: AppSettings): Promise<void> {
    const before = this.known(app);
    const applied = { at: this.#next(app), sent, before, after: { ...before, ...sent, ...answered } };
    await this.#keep(app, [applied, ...this.history(app)]);
  }

  /**
   * The service took it, and its answer could not be read: what it sent is not known any more.
   * @param undoes it was to take the last apply back, and can be sent again
   */
  async addUnsure(app: FormApp, sent: AppSettings, undoes: boolean): Promise<void> {
    const before = this.known(app);
    const unknown = new Set(Object.keys(sent));
    const after = Object.fromEntries(Object.entries(before).filter(([name]) => !unknown.has(name)));
    const at = this.#next(app);
    const history = this.history(app);
    const [last, ...earlier] = history;
    const isUndo = undoes && last !== undefined;
    await this.#keep(
      app,
      isUndo ? [{ ...last, at, after }, ...earlier] : [{ at, sent, before, after }, ...history],
    );
  }

  /** When it is, but later than the last apply. */
  #next(app: FormApp): number {
    return Math.max(this.#now(), (this.history(app)[0]?.at ?? 0) + 1);
  }

  async #keep(app: FormApp, history: readonly Applied[]): Promise<void> {
    const record: AppRecord = { origin: this.#originOf(app.projectId), history: history.slice(0, kept) };
    await this.#state.update(keyOf(app), record);
    this.#changed.fire(app);
  }

  dispose(): void {
    this.#changed.dispose();
  }
}

/** When something was applied, in the editor's language. @param at milliseconds since 1970 */
export function appliedDate(at: number): string {
  const locale = Intl.DateTimeFormat.supportedLocalesOf([vscode.env.language, 'en']);
  return new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' }).format(at);
}

/** Tells one app from every other. */
export function formAppKey({ projectId, appId }: FormApp): string {
  return JSON.stringify([projectId, appId]);
}

function keyOf(app: FormApp): string {
  return `appliedSettings:${formAppKey(app)}`;
}
