import type * as vscode from 'vscode';
import type { Signing } from '../../model/runs/run.ts';
import type { PayloadOwner } from './payloads/payloadStore.ts';

/** Whether the result is delivered to the listener, and what signs it there. */
export interface RunWay {
  webhook: boolean;
  signing?: Signing;
}

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

  way(app: AppChoice): RunWay | undefined {
    const kept = this.#memento.get<Record<string, boolean | Signing>>(webhooksKey, {})[keyOf(app)];
    if (kept === undefined) return undefined;
    return typeof kept === 'boolean' ? { webhook: kept } : { webhook: true, signing: kept };
  }

  async rememberApp({ projectId, appName }: AppChoice): Promise<void> {
    await this.#memento.update(appKey, { projectId, appName });
  }

  async rememberPayload(owner: PayloadOwner): Promise<void> {
    await this.rememberApp(owner);
    const last = this.#memento.get<Record<string, string>>(payloadsKey, {});
    await this.#memento.update(payloadsKey, { ...last, [keyOf(owner)]: owner.name });
  }

  async rememberWay(app: AppChoice, { webhook, signing }: RunWay): Promise<void> {
    const last = this.#memento.get<Record<string, boolean | Signing>>(webhooksKey, {});
    await this.#memento.update(webhooksKey, { ...last, [keyOf(app)]: (webhook && signing) ?? webhook });
  }
}

function keyOf({ projectId, appName }: AppChoice): string {
  return JSON.stringify([projectId, appName]);
}
