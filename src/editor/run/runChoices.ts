import * as vscode from 'vscode';
import { appName as nameOf, type Project } from '../../model/project.ts';
import { UserError } from '../../model/userError.ts';
import type { Choice, Prompts } from '../prompts.ts';
import type { PayloadOwner, PayloadStore } from './payloadStore.ts';

export interface AppChoice {
  projectId: string;
  appName: string;
}

const appKey = 'run.lastApp';
const payloadsKey = 'run.lastPayloads';
const webhookKey = 'run.lastWebhook';

/** What the user picks before a run. The last choice is remembered and stands first. */
export class RunChoices {
  readonly #prompts: Prompts;
  readonly #payloads: PayloadStore;
  readonly #memento: vscode.Memento;

  constructor(prompts: Prompts, payloads: PayloadStore, memento: vscode.Memento) {
    this.#prompts = prompts;
    this.#payloads = payloads;
    this.#memento = memento;
  }

  /** @throws UserError where there is no app to pick */
  async app(projects: readonly Project[]): Promise<AppChoice | undefined> {
    const choices = projects.flatMap((project) =>
      project.apps.map((app): Choice<AppChoice> => ({
        label: nameOf(app),
        description: project.name ?? project.id,
        value: { projectId: project.id, appName: nameOf(app) },
      })),
    );
    if (choices.length === 0) {
      throw new UserError(
        vscode.l10n.t('There is no app to run yet. Add one to a project, or start the sandbox.'),
      );
    }
    const last = this.#memento.get<AppChoice>(appKey);
    const isLast = ({ value }: Choice<AppChoice>): boolean =>
      value.projectId === last?.projectId && value.appName === last.appName;
    const picked = await this.#prompts.pick(vscode.l10n.t('Run which app?'), lastFirst(choices, isLast));
    if (picked !== undefined) await this.#memento.update(appKey, picked);
    return picked;
  }

  /** One of the app's payloads, or a new one, which is made. */
  async payload(app: AppChoice): Promise<vscode.Uri | undefined> {
    const last = this.#last(app);
    const names = await this.#payloads.list(app.projectId, app.appName);
    const choices = names.map((name): Choice<string | undefined> => ({ label: name, value: name }));
    const picked = await this.#prompts.pick<{ name: string | undefined }>(
      vscode.l10n.t('Which payload of {0}?', app.appName),
      [
        ...lastFirst(choices, ({ value }) => value === last).map(({ label, value }) => ({
          label,
          value: { name: value },
        })),
        { label: vscode.l10n.t('New Payload…'), value: { name: undefined } },
      ],
    );
    if (picked === undefined) return undefined;
    const name = picked.name ?? (await this.newName(app, names));
    return name === undefined ? undefined : this.#open({ ...app, name });
  }

  /** Whether the result is to be delivered to this machine. */
  async webhook(): Promise<boolean | undefined> {
    const choices: Choice<boolean>[] = [
      { label: vscode.l10n.t('Run'), value: false },
      {
        label: vscode.l10n.t('Run with Webhook'),
        description: vscode.l10n.t('The result is also delivered to the listener'),
        value: true,
      },
    ];
    const last = this.#memento.get(webhookKey, false);
    const picked = await this.#prompts.pick(
      vscode.l10n.t('How?'),
      lastFirst(choices, ({ value }) => value === last),
    );
    if (picked !== undefined) await this.#memento.update(webhookKey, picked);
    return picked;
  }

  /** The payload that the app was last run with; the first one is made without a question. */
  async lastPayload(app: AppChoice): Promise<vscode.Uri> {
    const names = await this.#payloads.list(app.projectId, app.appName);
    const last = this.#last(app);
    const name = names.find((one) => one === last) ?? names[0] ?? app.appName;
    return this.#open({ ...app, name });
  }

  /** The payload of that name, which is made where there is none. */
  named(owner: PayloadOwner): Promise<vscode.Uri> {
    return this.#open(owner);
  }

  /** Asks for a name that no payload of the app has. */
  newName(app: AppChoice, taken: readonly string[], value?: string): Promise<string | undefined> {
    return this.#prompts.input({
      title: vscode.l10n.t('Payload of {0}', app.appName),
      prompt: vscode.l10n.t('Name of the payload'),
      ...(value !== undefined && { value }),
      validate: (text) => {
        if (text.trim() === '' || text.length > 60)
          return vscode.l10n.t('Enter a name of 1 to 60 characters.');
        // Some file systems do not tell capitals apart.
        return taken.some((one) => one.toLowerCase() === text.toLowerCase())
          ? vscode.l10n.t('There is a payload "{0}" already.', text)
          : undefined;
      },
    });
  }

  async remember({ projectId, appName, name }: PayloadOwner): Promise<void> {
    const key = JSON.stringify([projectId, appName]);
    await this.#memento.update(appKey, { projectId, appName });
    await this.#memento.update(payloadsKey, { ...this.#memento.get(payloadsKey, {}), [key]: name });
  }

  async #open(owner: PayloadOwner): Promise<vscode.Uri> {
    await this.remember(owner);
    return this.#payloads.ensure(owner);
  }

  #last({ projectId, appName }: AppChoice): string | undefined {
    return this.#memento.get<Record<string, string>>(payloadsKey, {})[JSON.stringify([projectId, appName])];
  }
}

function lastFirst<T>(choices: readonly T[], isLast: (choice: T) => boolean): T[] {
  return [...choices.filter(isLast), ...choices.filter((choice) => !isLast(choice))];
}
