import type { AppSettings } from '../../model/settings/appSettings.ts';
import type { FormApp } from '../../model/settings/formProtocol.ts';
import { appName } from '../../model/projects/project.ts';
import { changeSummary } from '../../model/settings/settingsSummary.ts';
import { t } from '../../model/text/l10n.ts';
import { plainText } from '../../model/text/plainText.ts';
import type { Log } from '../log.ts';
import { cancellableProgress, type TellProgress } from '../cancellableProgress.ts';
import type { Projects } from '../projects/feature.ts';
import type { Choice, Prompts } from '../prompts/prompts.ts';
import { readableError } from '../reportError.ts';
import type { AppliedSettings } from './appliedSettings.ts';
import type { SettingsApplier } from './settingsApplier.ts';

interface Target extends FormApp {
  /** How people know it: `hello · Acme · prod`. */
  title: string;
}

/** Applies the same settings to several apps: pick, preview of each, then one PATCH after the other. */
export class SeveralApps {
  readonly #projects: Projects;
  readonly #applier: SettingsApplier;
  readonly #applied: AppliedSettings;
  readonly #prompts: Prompts;
  readonly #log: Log;

  constructor(
    projects: Projects,
    applier: SettingsApplier,
    applied: AppliedSettings,
    prompts: Prompts,
    log: Log,
  ) {
    this.#projects = projects;
    this.#applier = applier;
    this.#applied = applied;
    this.#prompts = prompts;
    this.#log = log;
  }

  /** @returns what succeeded and what failed, in words; undefined where the user declined */
  async apply(settings: AppSettings): Promise<string | undefined> {
    const targets = await this.#prompts.pickMany(t('Apply to which apps?'), this.#choices());
    if (targets === undefined || targets.length === 0) return undefined;
    const preview = targets.map(
      (target) => `${target.title}: ${changeSummary(this.#applied.known(target), settings)}`,
    );
    const question = targets.length === 1 ? t('Apply to 1 app?') : t('Apply to {0} apps?', targets.length);
    if (!(await this.#prompts.confirm(question, preview.join('\n'), t('Apply')))) return undefined;
    return cancellableProgress(t('Applying settings'), (signal, tell) =>
      this.#applyToAll(targets, settings, signal, tell),
    );
  }

  /** Cancelled, it leaves out the apps that have not been sent to; what has been sent can not be taken back. */
  async #applyToAll(
    targets: readonly Target[],
    settings: AppSettings,
    signal: AbortSignal,
    tell: TellProgress,
  ): Promise<string> {
    const failures: string[] = [];
    let applied = 0;
    for (const [index, target] of targets.entries()) {
      if (signal.aborted) break;
      tell(index + 1, targets.length);
      const failure = await this.#applyTo(target, settings);
      if (failure === undefined) applied += 1;
      else failures.push(`${target.title}: ${failure}`);
    }
    const said = t('Applied to {0} of {1} apps.', applied, targets.length);
    return [...(signal.aborted ? [t('Cancelled.')] : []), said, ...failures].join(' ');
  }

  #choices(): Choice<Target>[] {
    return this.#projects.all().flatMap((project) => {
      const environment = this.#projects.activeAccount(project.id)?.environment;
      const place = [project.name ?? project.id, ...(environment === undefined ? [] : [environment])];
      return project.apps.map((app) => ({
        label: plainText(appName(app)),
        description: plainText(place.join(' · ')),
        value: {
          projectId: project.id,
          appId: app.id,
          title: plainText([appName(app), ...place].join(' · ')),
        },
      }));
    });
  }

  /** The preview was the question: the environment is named in it. @returns why it failed */
  async #applyTo({ projectId, appId }: Target, settings: AppSettings): Promise<string | undefined> {
    try {
      await this.#applier.apply({ projectId, appId, settings, confirmed: true, interactive: true });
      return undefined;
    } catch (error) {
      return readableError(this.#log, t('Applying settings'), error).message;
    }
  }
}
