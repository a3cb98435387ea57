import { type AppRef, appName as nameOf, type Project } from '../../model/projects/project.ts';
import { t } from '../../model/text/l10n.ts';
import { plainText } from '../../model/text/plainText.ts';
import { UserError } from '../../model/text/userError.ts';
import type { Choice, Prompts } from '../prompts/prompts.ts';
import type { LastChoices, RunWay } from './lastChoices.ts';
import type { Projects } from '../projects/feature.ts';
import { lastUsedFirst } from '../prompts/lastUsedFirst.ts';

export interface RunChoicesParts {
  prompts: Prompts;
  projects: Pick<Projects, 'all' | 'get'>;
  last: LastChoices;
}

/** An app, as far as the caller specified it. */
export type GivenApp = { [Name in keyof AppRef]?: string | undefined };

/** What the user picks before a run. The last choice is remembered and stands first. */
export class RunChoices {
  readonly #parts: RunChoicesParts;

  constructor(parts: RunChoicesParts) {
    this.#parts = parts;
  }

  /**
   * The given app. If only its project or its name is given, or neither, the user picks among the apps that match.
   * @throws UserError if there is no such project, or no app to pick
   */
  async app({ projectId, appName }: GivenApp): Promise<AppRef | undefined> {
    const { projects } = this.#parts;
    const among = projectId === undefined ? projects.all() : [projects.get(projectId)];
    return projectId !== undefined && appName !== undefined
      ? { projectId, appName }
      : this.#pick(among, appName);
  }

  /**
   * The app for a file. If several projects have an app of that name and none is known, asks once and remembers it.
   * @throws UserError if no project has it
   */
  async appOfFile(given: GivenApp): Promise<AppRef | undefined> {
    const { appName, projectId } = given;
    if (appName === undefined || projectId !== undefined) return this.app(given);
    const known = this.usualProject(appName);
    if (known !== undefined) return { projectId: known, appName };
    const app = await this.app(given);
    if (app !== undefined) await this.#parts.last.rememberProjectOf(app);
    return app;
  }

  /** The id of the project that an app's name alone means: the one picked before, or the only one that has it. */
  usualProject(appName: string): string | undefined {
    const { last, projects } = this.#parts;
    const candidates = projects.all().filter(({ apps }) => apps.some((app) => nameOf(app) === appName));
    const picked = candidates.find(({ id }) => id === last.projectOf(appName));
    return (picked ?? (candidates.length === 1 ? candidates[0] : undefined))?.id;
  }

  /** Asks how to run the app. *Run with Webhook* is first if nothing was chosen yet. */
  async way(app: AppRef): Promise<RunWay | undefined> {
    const choices: Choice<RunWay>[] = [
      {
        label: t('Run with Webhook'),
        description: t('The result is also delivered to the listener'),
        value: { webhook: true },
      },
      { label: t('Run'), value: { webhook: false } },
      {
        label: t('Run with Webhook, Unsigned'),
        description: t('The listener shows the delivery, and refuses it if a secret is set'),
        value: { webhook: true, signing: 'unsigned' },
      },
      {
        label: t('Run with Webhook and One-Time Secret…'),
        description: t('Signed with a secret for this run only, which is not stored'),
        value: { webhook: true, signing: 'once' },
      },
    ];
    const { prompts, last } = this.#parts;
    const previous = last.way(app);
    const isPrevious = ({ value }: Choice<RunWay>): boolean =>
      value.webhook === previous?.webhook && value.signing === previous.signing;
    const picked = await prompts.pick(
      t('Run {0}', plainText(app.appName)),
      lastUsedFirst(choices, isPrevious),
    );
    if (picked !== undefined) await last.rememberWay(app, picked);
    return picked;
  }

  /** How the app was last run. Asks if it was not run before. */
  async lastWay(app: AppRef): Promise<RunWay | undefined> {
    return this.#parts.last.way(app) ?? this.way(app);
  }

  async #pick(projects: readonly Project[], named: string | undefined): Promise<AppRef | undefined> {
    const all = projects.flatMap((project) =>
      project.apps.map((app): Choice<AppRef> => ({
        label: plainText(nameOf(app)),
        description: plainText(project.name ?? project.id),
        value: { projectId: project.id, appName: nameOf(app) },
      })),
    );
    if (all.length === 0) {
      throw new UserError(t('There is no app to run yet. Add one to a project, or start the sandbox.'), {
        remedies: [{ kind: projects.length === 0 ? 'addProject' : 'addApp' }, { kind: 'startSandbox' }],
      });
    }
    const choices = named === undefined ? all : all.filter(({ value }) => value.appName === named);
    const [only] = choices;
    if (only === undefined) {
      throw new UserError(t('No project has an app "{0}".', plainText(named ?? '')), {
        remedies: [{ kind: 'addApp' }],
      });
    }
    if (named !== undefined && choices.length === 1) return only.value;
    const { app: last } = this.#parts.last;
    const isLast = ({ value }: Choice<AppRef>): boolean =>
      value.projectId === last?.projectId && value.appName === last.appName;
    const picked = await this.#parts.prompts.pick(t('Which app?'), lastUsedFirst(choices, isLast));
    if (picked !== undefined) await this.#parts.last.rememberApp(picked);
    return picked;
  }
}
