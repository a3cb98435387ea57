import type * as vscode from 'vscode';
import type { PayloadOwner } from './payloadStore.ts';

export interface AppChoice {
  projectId: string;
  appName: string;
}

const appKey = 'run.lastApp';
const payloadsKey = 'run.lastPayloads';
const webhooksKey = 'run.lastWebhooks';

/** What was chosen last, in this workspace: which app, and of each app which payload, with or without the webhook. */
export class LastChoices {
  readonly #memento: vscode.Memento;

  constructor(memento: vscode.Memento) {
    this.#memento = memento;
  }

  get app(): AppChoice | undefined {
    return this.#memento.get<AppChoice>(appKey);
  }

  /** The name of the payload. */
  payload(app: AppChoice): string | undefined {
    return this.#memento.get<Record<string, string>>(payloadsKey, {})[keyOf(app)];
  }

  webhook(app: AppChoice): boolean | undefined {
    return this.#memento.get<Record<string, boolean>>(webhooksKey, {})[keyOf(app)];
  }

  async rememberApp({ projectId, appName }: AppChoice): Promise<void> {
    await this.#memento.update(appKey, { projectId, appName });
  }

  async rememberPayload(owner: PayloadOwner): Promise<void> {
    await this.rememberApp(owner);
    const last = this.#memento.get<Record<string, string>>(payloadsKey, {});
    await this.#memento.update(payloadsKey, { ...last, [keyOf(owner)]: owner.name });
  }

  async rememberWebhook(app: AppChoice, webhook: boolean): Promise<void> {
    const last = this.#memento.get<Record<string, boolean>>(webhooksKey, {});
    await this.#memento.update(webhooksKey, { ...last, [keyOf(app)]: webhook });
  }
}

function keyOf({ projectId, appName }: AppChoice): string {
  return JSON.stringify([projectId, appName]);
}
