import { type App, type Project, readProjects, type ServiceAccount } from './project.ts';
import type { Translate } from './translate.ts';
import { UserError } from './userError.ts';

/**
 * Changes of the settings value `runhook.projects`. Entries that cannot be read, and fields that Runhook does
 * not know, stay as they are: somebody wrote them.
 */

/** @throws UserError where the list has that project */
export function addProject(list: readonly unknown[], project: Project, t: Translate): unknown[] {
  if (list.some((entry) => isProject(entry, project.id))) {
    throw new UserError(t('The project {0} is there already.', project.id));
  }
  return [...list, project];
}

/** @throws UserError where the list has no such project */
export function removeProject(list: readonly unknown[], projectId: string, t: Translate): unknown[] {
  const kept = list.filter((entry) => !isProject(entry, projectId));
  if (kept.length === list.length) throw unknownProject(projectId, t);
  return kept;
}

/** @throws UserError where the list has no such project, or the project has a child of that id */
export function addChild(
  list: readonly unknown[],
  projectId: string,
  field: 'serviceAccounts' | 'apps',
  child: ServiceAccount | App,
  t: Translate,
): unknown[] {
  const index = list.findIndex((entry) => isProject(entry, projectId));
  if (index < 0) throw unknownProject(projectId, t);
  const entry = list[index] as Record<string, unknown>;
  const children = (entry[field] ?? []) as { id: string }[];
  if (children.some((one) => one.id === child.id)) {
    throw new UserError(t('The project {0} has {1} already.', projectId, child.id));
  }
  return list.with(index, { ...entry, [field]: [...children, child] });
}

/**
 * Gives a service account another environment, or none.
 * @throws UserError where the list has no such project, or no such service account in it
 */
export function setEnvironment(
  list: readonly unknown[],
  projectId: string,
  serviceAccountId: string,
  environment: string | undefined,
  t: Translate,
): unknown[] {
  const index = list.findIndex((entry) => isProject(entry, projectId));
  if (index < 0) throw unknownProject(projectId, t);
  const project = list[index] as Record<string, unknown> & { serviceAccounts?: { id: string }[] };
  const accounts = project.serviceAccounts ?? [];
  const at = accounts.findIndex(({ id }) => id.trim() === serviceAccountId);
  if (at < 0) throw unknownAccount(projectId, serviceAccountId, t);
  const changed: Partial<ServiceAccount> = { ...accounts[at] };
  if (environment === undefined) delete changed.environment;
  else changed.environment = environment;
  return list.with(index, { ...project, serviceAccounts: accounts.with(at, changed as ServiceAccount) });
}

/** What every unknown project says. */
export function unknownProject(projectId: string, t: Translate): UserError {
  return new UserError(t('There is no project {0}. Add it first (Runhook: Add Project…).', projectId));
}

/** What every unknown service account says. */
export function unknownAccount(projectId: string, serviceAccountId: string, t: Translate): UserError {
  return new UserError(t('The project {0} has no service account {1}.', projectId, serviceAccountId));
}

/** What a project says that has no service account yet. */
export function noAccount(projectId: string, t: Translate): UserError {
  return new UserError(
    t('The project {0} has no service account. Add one first (Runhook: Add Service Account…).', projectId),
  );
}

function isProject(entry: unknown, projectId: string): boolean {
  return readProjects([entry])[0]?.id === projectId;
}
