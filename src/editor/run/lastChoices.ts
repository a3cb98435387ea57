import * as vscode from 'vscode';
import type { AppRef } from '../../service/projects/project.ts';
import { appKey } from '../../service/runs/run.ts';

const lastAppKey = 'run.lastApp';
const payloadsKey = 'run.lastPayloads';
const projectsKey = 'run.lastProjects';
const webhooksKey = 'run.lastWebhooks';

/** How an app is run by one click: `here` without a webhook, and its delivery is made here from the response. */
export type UsualWay = 'webhook' | 'plain' | 'here';

/** The last choices in this workspace: the app, and for each app its payload and whether to use the webhook. */
export class LastChoices {
  readonly #memento: vscode.Memento;
  readonly #canReach: (projectId: string) => boolean;
  readonly #changed = new vscode.EventEmitter<AppRef | undefined>();

  /** Fires when an app was run in another way than the last time; without an app, when that may hold for all of them. */
  readonly onDidChangeWay = this.#changed.event;

  /** @param canReach whether the service of a project can reach the listener */
  constructor(memento: vscode.Memento, canReach: (projectId: string) => boolean) {
    this.#memento = memento;
    this.#canReach = canReach;
  }

  get app(): AppRef | undefined {
    return this.#memento.get<AppRef>(lastAppKey);
  }

  /** The payload as it was remembered by {@link rememberPayload}. */
  payload(app: AppRef): string | undefined {
    return this.#byApp<string>(payloadsKey)[appKey(app)];
  }

  /** How the app was last run. The first time its result is delivered too, since that is what Runhook is for. */
  usual(app: AppRef): UsualWay {
    const kept = this.#byApp<unknown>(webhooksKey)[appKey(app)];
    if (kept === undefined) return this.#canReach(app.projectId) ? 'webhook' : 'here';
    if (kept === 'here') return 'here';
    return kept === false ? 'plain' : 'webhook';
  }

  /** What the service of a project can reach has changed. */
  reachChanged(): void {
    this.#changed.fire(undefined);
  }

  async rememberApp({ projectId, appName }: AppRef): Promise<void> {
    await this.#memento.update(lastAppKey, { projectId, appName });
  }

  async rememberPayload(app: AppRef, payload: string): Promise<void> {
    await this.rememberApp(app);
    await this.#remember(payloadsKey, app, payload);
  }

  /** The id of the project chosen for files that name this app, if several projects have such an app. */
  projectOf(appName: string): string | undefined {
    const known = this.#memento.get<Record<string, string>>(projectsKey, {});
    return Object.hasOwn(known, appName) ? known[appName] : undefined;
  }

  async rememberProjectOf({ projectId, appName }: AppRef): Promise<void> {
    const known = this.#memento.get<Record<string, string>>(projectsKey, {});
    await this.#memento.update(projectsKey, { ...known, [appName]: projectId });
  }

  /**
   * An app was run that way. The usual way is not kept of an app that nobody has chosen one for: it may be another one
   * once the service can reach the listener.
   */
  async rememberWay(app: AppRef, way: UsualWay): Promise<void> {
    if (this.usual(app) !== way) await this.chooseWay(app, way);
  }

  /** Somebody chose the way. */
  async chooseWay(app: AppRef, way: UsualWay): Promise<void> {
    const isNew = this.usual(app) !== way;
    await this.#remember(webhooksKey, app, way === 'here' ? way : way === 'webhook');
    if (isNew) this.#changed.fire(app);
  }

  /** An app got another name. */
  async rename(from: AppRef, to: AppRef): Promise<void> {
    for (const key of [payloadsKey, webhooksKey]) {
      const value = this.#byApp<unknown>(key)[appKey(from)];
      if (value !== undefined) await this.#remember(key, to, value);
    }
    const { projectId, appName } = this.app ?? {};
    if (projectId === from.projectId && appName === from.appName) await this.rememberApp(to);
    this.#changed.fire(to);
  }

  #byApp<T>(key: string): Record<string, T> {
    return this.#memento.get<Record<string, T>>(key, {});
  }

  async #remember(key: string, app: AppRef, value: unknown): Promise<void> {
    await this.#memento.update(key, { ...this.#byApp(key), [appKey(app)]: value });
  }
}
