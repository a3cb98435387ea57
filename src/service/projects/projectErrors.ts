import { MaybeAppliedError, mayBeAppliedText } from '../client/errors.ts';
import { t } from '../../shared/text/l10n.ts';
import { plainText } from '../../shared/text/plainText.ts';
import { sentences } from '../../shared/text/sentences.ts';
import { UserError } from '../../shared/text/userError.ts';
import { appName, type Project, type ServiceAccount } from './project.ts';

/** The ids of the projects that are there while the sandbox runs. */
const sandboxId = /^p-sandbox(-\d+)?$/;

export function isOfSandbox(projectId: string): boolean {
  return sandboxId.test(projectId);
}

export function sandboxNotRunning(): UserError {
  return new UserError(t('The sandbox is not running. Start it first (Runhook: Start Sandbox).'), {
    brief: t('The sandbox is not running.'),
    remedies: [{ kind: 'startSandbox' }],
  });
}

/** The error for a run that the end of the sandbox has broken off. */
export function sandboxStopped(cause: unknown): UserError {
  return new UserError(t('The sandbox was stopped, and the run with it.'), {
    cause,
    remedies: [{ kind: 'startSandbox' }],
  });
}

/** The same for a change, which the sandbox may have made before. */
export function applyBrokenOff(cause: unknown): UserError {
  return new MaybeAppliedError(
    sentences(t('The sandbox was stopped before it responded.'), mayBeAppliedText()),
    cause,
  );
}

/** Why nothing more is delivered for a run of a sandbox that was stopped. */
export function notDeliveredBySandbox(): string {
  return t('Not delivered: the sandbox was stopped.');
}

/** The same of a run whose id is not known: what was delivered before may be of it. */
export function maybeDeliveredBySandbox(): string {
  return t(
    'Its run id is not known: if it was delivered before the sandbox ended, the Deliveries view shows it.',
  );
}

/** The same of one that has ended with its window, which was reloaded. */
export function notDeliveredSinceReload(runId: string | undefined): string {
  return runId === undefined
    ? maybeDeliveredBySandbox()
    : t('Not delivered: the sandbox ended with its window.');
}

/** The error for an unknown project. */
export function unknownProject(projectId: string): UserError {
  if (isOfSandbox(projectId)) return sandboxNotRunning();
  return new UserError(t('There is no project {0}. Add it first (Runhook: Add Project…).', projectId), {
    remedies: [{ kind: 'addProject' }],
  });
}

/** The error for an unknown service account. */
export function unknownAccount(projectId: string, serviceAccountId: string): UserError {
  return new UserError(t('The project {0} has no service account {1}.', projectId, serviceAccountId), {
    remedies: [{ kind: 'addServiceAccount', projectId }],
  });
}

/** The error for a project that has no service account yet. */
export function noAccount(projectId: string): UserError {
  return new UserError(
    t('The project {0} has no service account. Add one first (Runhook: Add Service Account…).', projectId),
    { remedies: [{ kind: 'addServiceAccount', projectId }] },
  );
}

/** The error for an unknown app. */
export function unknownApp(projectId: string, appId: string): UserError {
  return new UserError(t('The project {0} has no app {1}.', projectId, appId), {
    remedies: [{ kind: 'addApp', projectId }],
  });
}

/** How many names of apps an error lists. */
const mostNames = 10;

/**
 * The error for an app that a file names and no project has.
 * @param projects those that were looked in
 * @param projectId that of the one project that the file names, to which an app can be added
 */
export function unheardOfApp(
  app: string,
  projects: readonly Pick<Project, 'apps'>[],
  projectId?: string,
): UserError {
  const names = [...new Set(projects.flatMap(({ apps }) => apps.map(appName)))];
  const shown = names.slice(0, mostNames).map((name) => plainText(name, 40));
  const list = names.length > mostNames ? [...shown, '…'] : shown;
  return new UserError(
    sentences(
      t('No project has an app "{0}".', plainText(app)),
      list.length === 0 ? undefined : t('Known apps: {0}', list.join(', ')),
    ),
    { remedies: [{ kind: 'addApp', ...(projectId !== undefined && { projectId }) }] },
  );
}

/** The error for changing a project that exists only in the sandbox: its apps come from a setting. */
export function cannotChange(projectId: string): UserError {
  return new UserError(
    t('The project {0} exists only while the sandbox runs, and cannot be changed.', projectId),
    {
      remedies: [{ kind: 'openSettings', ids: ['sandbox.apps'] }],
    },
  );
}

/**
 * The error for a service account that has no token on this machine.
 * @param elsewhere the origin of another address that it has one for
 */
export function noToken(
  projectId: string,
  { id, name = id }: Pick<ServiceAccount, 'id' | 'name'>,
  elsewhere?: string,
): UserError {
  if (elsewhere !== undefined) {
    return new UserError(t('The token of {0} was set for {1}, and is sent only there.', name, elsewhere), {
      remedies: [{ kind: 'setToken', projectId, serviceAccountId: id }],
    });
  }
  return new UserError(
    t('No token is stored for the service account {0}. Set one first (Runhook: Set Token…).', name),
    {
      brief: t('No token is stored for the service account {0}.', name),
      remedies: [{ kind: 'setToken', projectId, serviceAccountId: id }],
    },
  );
}
