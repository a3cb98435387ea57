import { MaybeAppliedError, ServiceError } from '../../service/client/errors.ts';
import type { AppSettings } from '../../service/settings/appSettings.ts';
import type { FormApp } from '../../pages/form/formProtocol.ts';
import { type AccountRef, appName, type ServiceAccount } from '../../service/projects/project.ts';
import { changeLines } from '../../service/settings/settingsText.ts';
import { t } from '../../shared/text/l10n.ts';
import { sentences } from '../../shared/text/sentences.ts';
import { plainText } from '../../shared/text/plainText.ts';
import { type Log, readableError } from '../kit/log.ts';
import { cancellableProgress, type TellProgress } from '../kit/progress.ts';
import type { Projects } from '../projects/feature.ts';
import type { Choice, Prompts } from '../kit/prompts.ts';
import type { AppliedSettings } from './appliedSettings.ts';
import type { SettingsApplier } from './settingsApplier.ts';

/** One of several apps that are applied to. */
export interface Target extends FormApp {
  /** The name shown to the user: `hello · Acme · prod`. */
  title: string;
  /** The account whose token was to be used when the user was asked. */
  account: ServiceAccount | undefined;
}

interface Services {
  projects: Projects;
  applier: SettingsApplier;
  applied: AppliedSettings;
  prompts: Prompts;
  log: Log;
}

/** Those of an apply. `asking` is told whether it waits for an answer of the user. */
type ApplyServices = Services & { asking: (isAsking: boolean) => void };

/** What became of several apps. */
export interface SeveralApplied {
  /** The counts, and a line for each reason why some failed. */
  text: string;
  isWhole: boolean;
  /** The accounts whose token the service rejected. */
  rejected: AccountRef[];
}

/** How many apps get a line each, so that the question fits the window. The others are only named. */
const maxPreviewed = 10;

/** Asks which apps the same settings go to, and shows what changes at each. @returns undefined if the user declined */
export async function pickSeveral(
  settings: AppSettings,
  { projects, applied, prompts }: Services,
): Promise<Target[] | undefined> {
  const targets = await prompts.pickMany(t('Apply to which apps?'), choices(projects));
  if (targets === undefined || targets.length === 0) return undefined;
  const preview = targets
    .slice(0, maxPreviewed)
    .map((target) => `${target.title}: ${changeLines(applied.known(target), settings).join(', ')}`);
  const rest = targets.slice(maxPreviewed).map(({ title }) => title);
  if (rest.length > 0) preview.push(rest.join(', '));
  const question = targets.length === 1 ? t('Apply to 1 app?') : t('Apply to {0} apps?', targets.length);
  return (await prompts.confirm(question, preview.join('\n'), t('Apply'))) ? targets : undefined;
}

/** Applies the same settings to several apps, one after the other. @returns what succeeded and what failed */
export function applyToSeveral(
  targets: readonly Target[],
  settings: AppSettings,
  services: ApplyServices,
): Promise<SeveralApplied> {
  return cancellableProgress(t('Applying settings'), (signal, tell) =>
    applyToAll(targets, settings, services, signal, tell),
  );
}

function choices(projects: Projects): Choice<Target>[] {
  return projects.all().flatMap((project) => {
    const account = projects.activeAccount(project.id);
    const environment = account?.environment;
    const place = [project.name ?? project.id, ...(environment === undefined ? [] : [environment])];
    return project.apps.map((app) => ({
      label: plainText(appName(app)),
      description: plainText(place.join(' · ')),
      value: {
        projectId: project.id,
        appId: app.id,
        title: plainText([appName(app), ...place].join(' · ')),
        account,
      },
    }));
  });
}

/** If cancelled, skips the apps that nothing was sent to yet. What was sent cannot be taken back. */
async function applyToAll(
  targets: readonly Target[],
  settings: AppSettings,
  { projects, applier, log, asking }: ApplyServices,
  signal: AbortSignal,
  tell: TellProgress,
): Promise<SeveralApplied> {
  const failures: { title: string; message: string }[] = [];
  const rejected = new Map<string, { ref: AccountRef; error: unknown }>();
  let [applied, maybe] = [0, 0];
  const sending = (account?: ServiceAccount) => asking(account === undefined);
  for (const [index, { projectId, appId, title, account }] of targets.entries()) {
    if (signal.aborted) break;
    tell(index + 1, targets.length);
    const ref = { projectId, serviceAccountId: projects.activeAccount(projectId)?.id ?? '' };
    const inUse = JSON.stringify(ref);
    try {
      // Who set no other token was asked once, and is not asked for each app.
      const earlier = rejected.get(inUse);
      if (earlier !== undefined) throw earlier.error;
      // The preview was the confirmation: it names the environment.
      await applier.apply({ projectId, appId, settings, agreed: account, interactive: true, sending });
      applied += 1;
    } catch (error) {
      if (error instanceof MaybeAppliedError) maybe += 1;
      if (error instanceof ServiceError && error.refusesToken) rejected.set(inUse, { ref, error });
      failures.push({ title, message: readableError(log, t('Applying settings'), error).message });
    }
  }
  const summary = summaryText(applied, maybe, targets.length);
  const lines = [...Map.groupBy(failures, ({ message }) => message)].map(
    ([message, of]) => `${of.map(({ title }) => title).join(', ')}: ${message}`,
  );
  const first = sentences(signal.aborted ? t('Cancelled.') : undefined, summary);
  return {
    text: [first, ...lines].join('\n'),
    isWhole: applied === targets.length,
    rejected: [...rejected.values()].map(({ ref }) => ref),
  };
}

function summaryText(applied: number, maybe: number, all: number): string {
  if (maybe > 0) return t('Applied to {0} of {1} apps, possibly to {2} more.', applied, all, maybe);
  if (applied < all) return t('Applied to {0} of {1} apps.', applied, all);
  return all === 1 ? t('Applied to 1 app.') : t('Applied to {0} apps.', all);
}
