import type * as vscode from 'vscode';
import { t } from '../../../shared/text/l10n.ts';
import { plainText } from '../../../shared/text/plainText.ts';
import { appName as nameOf, type Project } from '../../../service/projects/project.ts';
import { UserError } from '../../../shared/text/userError.ts';
import { secretLabel } from '../../../service/diagnosis/cause.ts';
import type { SecretScope } from '../../../service/signature/webhookSecret.ts';
import { type Choice, DeclinedError, type Prompts } from '../../kit/prompts.ts';
import type { WebhookSecretStore } from './webhookSecretStore.ts';

export interface SecretProjects {
  all(): readonly Project[];
  find(projectId: string): Project | undefined;
  /** @throws UserError where there is no such project */
  get(projectId: string): Project;
  readonly onDidChange: vscode.Event<void>;
}

/** Finds the webhook secret that a command is about: the one its argument names, else the one the user picks. */
export class SecretScopes {
  readonly #projects: SecretProjects;
  readonly #prompts: Prompts;

  constructor(projects: SecretProjects, prompts: Prompts) {
    this.#projects = projects;
    this.#prompts = prompts;
  }

  /** @throws UserError if there is no such project or app, or an app is named without its project */
  check({ projectId, appName }: SecretScope): SecretScope {
    if (projectId === undefined && appName === undefined) return {};
    if (projectId === undefined) throw new UserError(t('Add the projectId of app {0}.', appName ?? ''));
    const { apps, name = projectId } = this.#projects.get(projectId);
    if (appName === undefined) return { projectId };
    if (apps.some((app) => nameOf(app) === appName)) return { projectId, appName };
    throw new UserError(t('{0} has no app "{1}".', name, appName));
  }

  /**
   * The scope that the user picks; the default one, without asking, if there is no other.
   * @param of `held` offers the scopes that have a secret, `all` every scope that can have one
   */
  async pick(title: string, store: WebhookSecretStore, of: 'held' | 'all'): Promise<SecretScope> {
    const own = await store.ownScopes();
    const others = of === 'held' ? own : this.#all();
    return others.length === 0 ? {} : this.#picked(title, [{}, ...others], own);
  }

  /** Like `pick`, among the projects and apps that have a secret of their own. @throws UserError if none has one */
  async pickOwn(title: string, store: WebhookSecretStore): Promise<SecretScope> {
    const own = await store.ownScopes();
    if (own.length === 0) {
      throw new UserError(t('No project and no app has a webhook secret of its own.'), {
        remedies: [{ kind: 'setWebhookSecret' }],
      });
    }
    return this.#picked(title, own, own);
  }

  /** The name of the secret's owner, as the user knows it. */
  name({ projectId = '', appName }: SecretScope): string {
    return plainText(appName ?? this.#projects.find(projectId)?.name ?? projectId);
  }

  label(scope: SecretScope): string {
    const { projectId, appName } = scope;
    if (projectId === undefined) return secretLabel({ kind: 'default' });
    const kind = appName === undefined ? 'project' : 'app';
    return secretLabel({ kind, projectId, name: this.name(scope) });
  }

  async #picked(
    title: string,
    scopes: readonly SecretScope[],
    own: readonly SecretScope[],
  ): Promise<SecretScope> {
    const held = new Set([{}, ...own].map(idOf));
    const choices = scopes.map((scope): Choice<SecretScope> => {
      const note = held.has(idOf(scope)) ? '' : t('none of its own yet');
      const description = [this.#place(scope), note].filter((part) => part !== '').join(' · ');
      return { label: this.label(scope), description, value: scope };
    });
    const picked = await this.#prompts.pick(title, choices);
    if (picked === undefined) throw new DeclinedError(t('Cancelled.'));
    return picked;
  }

  /** The project, shown beside the name of an app; empty for other scopes. */
  #place({ projectId, appName }: SecretScope): string {
    return appName === undefined ? '' : this.name({ projectId });
  }

  #all(): SecretScope[] {
    return this.#projects
      .all()
      .flatMap(({ id: projectId, apps }) => [
        { projectId },
        ...apps.map((app) => ({ projectId, appName: nameOf(app) })),
      ]);
  }
}

function idOf({ projectId, appName }: SecretScope): string {
  return JSON.stringify([projectId, appName]);
}
