import * as vscode from 'vscode';
import type { AppSettings } from '../../service/settings/appSettings.ts';
import type { FormApp } from '../../pages/form/formProtocol.ts';

/** One apply that the service accepted, or may have. */
export interface Applied {
  /** Milliseconds since 1970; larger than for every earlier apply of the app. */
  at: number;
  /** What the PATCH carried. */
  sent: AppSettings;
  /** Whether it undid the apply before it. One that undoes an undo counts as an apply. */
  undoes?: boolean;
  /** Whether its response could not be read: it may not be in force, or no longer. */
  isUnsure?: true;
  /** What was known before and after it. If the response could not be read, `after` lacks the fields that it sent. */
  before: AppSettings;
  after: AppSettings;
}

/** What is stored of an app. The service has no read endpoint, so nothing else is known of its settings. */
interface AppRecord {
  /** The origin of the service that it was applied to: the same ids at another service are another app. */
  origin: string;
  /** Newest first. */
  history: Applied[];
}

const limit = 20;

/** What was applied from this machine, by project and app. Other windows write here too. */
export class AppliedSettings implements vscode.Disposable {
  readonly #state: vscode.Memento;
  readonly #now: () => number;
  readonly #originOf: (projectId: string) => string | undefined;
  readonly #changed = new vscode.EventEmitter<FormApp | undefined>();
  /** Fires with the app; without one when those of several were removed. */
  readonly onDidChange = this.#changed.event;

  /**
   * @param now milliseconds since 1970
   * @param originOf the origin of the service of a project; undefined while the project is away, as that of a
   *   stopped sandbox: what was applied to it last stays known
   */
  constructor(state: vscode.Memento, now: () => number, originOf: (projectId: string) => string | undefined) {
    this.#state = state;
    this.#now = now;
    this.#originOf = originOf;
  }

  /** The applies of an app, newest first. */
  history(app: FormApp): readonly Applied[] {
    return this.#historyAt(app, this.#originOf(app.projectId));
  }

  /** The settings that are assumed to be in force. An absent field is unknown. */
  known(app: FormApp): AppSettings {
    return this.history(app)[0]?.after ?? {};
  }

  /**
   * @param origin of the service that the PATCH was sent to
   * @param answered the settings in the response to the PATCH, which take precedence
   */
  async add(
    app: FormApp,
    origin: string,
    { sent, undoes = false }: Pick<Applied, 'sent' | 'undoes'>,
    answered: AppSettings,
  ): Promise<void> {
    const history = this.#historyAt(app, origin);
    const [last] = history;
    const before = last?.after ?? {};
    const after = { ...before, ...sent, ...answered };
    const one = { sent, undoes: undoes && last?.undoes !== true, before, after };
    await this.#store(app, origin, [{ ...one, at: this.#nextTime(history) }, ...history]);
  }

  /**
   * Records an apply that the service may have accepted, but whose response could not be read: what it sent becomes unknown.
   * @param origin of the service that the PATCH was sent to
   * @param undoes whether it was an undo of the last apply, which then stays in the history to be undone again
   * @param sentAt milliseconds since 1970
   */
  async addUnsure(
    app: FormApp,
    origin: string,
    sent: AppSettings,
    undoes: boolean,
    sentAt = this.#now(),
  ): Promise<void> {
    const history = this.#historyAt(app, origin);
    const [last, ...earlier] = history;
    const before = last?.after ?? {};
    const unknown = new Set(Object.keys(sent));
    const after = Object.fromEntries(Object.entries(before).filter(([name]) => !unknown.has(name)));
    const at = this.#nextTime(history, sentAt);
    const isUndo = undoes && last !== undefined;
    const unsure = { at, after, isUnsure: true } as const;
    await this.#store(
      app,
      origin,
      isUndo ? [{ ...last, ...unsure }, ...earlier] : [{ sent, before, ...unsure }, ...history],
    );
  }

  /** What was applied to the apps of a project is in force no more. */
  async forget(projectId: string): Promise<void> {
    // A key begins with the project: see `formAppKey`.
    await this.#remove(`${keyPrefix}[${JSON.stringify(projectId)},`);
  }

  async erase(): Promise<void> {
    await this.#remove(keyPrefix);
  }

  async #remove(prefix: string): Promise<void> {
    for (const key of this.#state.keys()) {
      if (key.startsWith(prefix)) await this.#state.update(key, undefined);
    }
    this.#changed.fire(undefined);
  }

  #historyAt(app: FormApp, origin: string | undefined): readonly Applied[] {
    const record = this.#state.get<AppRecord>(keyOf(app));
    return origin === undefined || record?.origin === origin ? (record?.history ?? []) : [];
  }

  /** That time, but later than the last apply. */
  #nextTime([last]: readonly Applied[], now = this.#now()): number {
    return Math.max(now, (last?.at ?? 0) + 1);
  }

  async #store(app: FormApp, origin: string, history: readonly Applied[]): Promise<void> {
    const record: AppRecord = { origin, history: history.slice(0, limit) };
    await this.#state.update(keyOf(app), record);
    this.#changed.fire(app);
  }

  dispose(): void {
    this.#changed.dispose();
  }
}

/** A key that is unique for each app. */
export function formAppKey({ projectId, appId }: FormApp): string {
  return JSON.stringify([projectId, appId]);
}

const keyPrefix = 'appliedSettings:';

function keyOf(app: FormApp): string {
  return `${keyPrefix}${formAppKey(app)}`;
}
