import type * as vscode from 'vscode';
import type { AppRef } from '../../service/projects/project.ts';
import { appKey, type Signing } from '../../service/runs/run.ts';

/** Whether the result is delivered to the listener, and what signs it there. */
export interface RunWay {
  webhook: boolean;
  /** Run without a webhook, the delivery is made here from the response. */
  deliverHere?: true;
  signing?: Signing;
}

const lastAppKey = 'run.lastApp';
const payloadsKey = 'run.lastPayloads';
const projectsKey = 'run.lastProjects';
const webhooksKey = 'run.lastWebhooks';

/** The last choices in this workspace: the app, and for each app its payload and whether to use the webhook. */
export class LastChoices {
  readonly #memento: vscode.Memento;

  constructor(memento: vscode.Memento) {
    this.#memento = memento;
  }

  get app(): AppRef | undefined {
    return this.#memento.get<AppRef>(lastAppKey);
  }

  /** The payload as it was remembered by {@link rememberPayload}. */
  payload(app: AppRef): string | undefined {
    return this.#byApp<string>(payloadsKey)[appKey(app)];
  }

  way(app: AppRef): RunWay | undefined {
    const kept = this.#byApp<boolean | Signing | 'here'>(webhooksKey)[appKey(app)];
    if (kept === undefined) return undefined;
    if (kept === 'here') return { webhook: false, deliverHere: true };
    return typeof kept === 'boolean' ? { webhook: kept } : { webhook: true, signing: kept };
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

  async rememberWay(app: AppRef, { webhook, deliverHere, signing }: RunWay): Promise<void> {
    const way = deliverHere === true ? 'here' : ((webhook && signing) ?? webhook);
    await this.#remember(webhooksKey, app, way);
  }

  #byApp<T>(key: string): Record<string, T> {
    return this.#memento.get<Record<string, T>>(key, {});
  }

  async #remember(key: string, app: AppRef, value: unknown): Promise<void> {
    await this.#memento.update(key, { ...this.#byApp(key), [appKey(app)]: value });
  }
}
