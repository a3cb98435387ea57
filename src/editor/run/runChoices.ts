import * as vscode from 'vscode';
import { appName as nameOf, type Project } from '../../model/project.ts';
import { plainText } from '../../model/plainText.ts';
import { UserError } from '../../model/userError.ts';
import type { Choice, Prompts } from '../prompts.ts';
import type { AppChoice, LastChoices } from './lastChoices.ts';
import { lastFirst } from '../lastFirst.ts';

export interface RunChoicesParts {
  prompts: Prompts;
  projects: { all(): Project[]; get(projectId: string): Project };
  last: LastChoices;
}

/** What the user picks before a run. The last choice is remembered and stands first. */
export class RunChoices {
  readonly #parts: RunChoicesParts;

  constructor(parts: RunChoicesParts) {
    this.#parts = parts;
  }

  /**
   * The app that is given, else one that the user picks, of the project where that is given.
   * @throws UserError where there is no such project, or no app to pick
   */
  async app({ projectId, appName }: Partial<AppChoice>): Promise<AppChoice | undefined> {
    const { projects } = this.#parts;
    const among = projectId === undefined ? projects.all() : [projects.get(projectId)];
    return projectId !== undefined && appName !== undefined ? { projectId, appName } : this.#pick(among);
  }

  /** Whether the result is to be delivered to this machine; that it is stands first where nothing was chosen yet. */
  async webhook(app: AppChoice): Promise<boolean | undefined> {
    const choices: Choice<boolean>[] = [
      {
        label: vscode.l10n.t('Run with Webhook'),
        description: vscode.l10n.t('The result is also delivered to the listener'),
        value: true,
      },
      { label: vscode.l10n.t('Run'), value: false },
    ];
    const { prompts, last } = this.#parts;
    const picked = await prompts.pick(
      vscode.l10n.t('Run {0}', plainText(app.appName)),
      lastFirst(choices, ({ value }) => value === last.webhook(app)),
    );
    if (picked !== undefined) await last.rememberWebhook(app, picked);
    return picked;
  }

  /** As the app was last run; asked where it was not. */
  async lastWebhook(app: AppChoice): Promise<boolean | undefined> {
    return this.#parts.last.webhook(app) ?? this.webhook(app);
  }

  async #pick(projects: readonly Project[]): Promise<AppChoice | undefined> {
    const choices = projects.flatMap((project) =>
      project.apps.map((app): Choice<AppChoice> => ({
        label: plainText(nameOf(app)),
        description: plainText(project.name ?? project.id),
        value: { projectId: project.id, appName: nameOf(app) },
      })),
    );
    if (choices.length === 0) {
      throw new UserError(
        vscode.l10n.t('There is no app to run yet. Add one to a project, or start the sandbox.'),
      );
    }
    const { app: last } = this.#parts.last;
    const isLast = ({ value }: Choice<AppChoice>): boolean =>
      value.projectId === last?.projectId && value.appName === last.appName;
    const picked = await this.#parts.prompts.pick(vscode.l10n.t('Which app?'), lastFirst(choices, isLast));
    if (picked !== undefined) await this.#parts.last.rememberApp(picked);
    return picked;
  }
}
