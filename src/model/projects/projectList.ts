import { type App, type Project, readProjects, type ServiceAccount } from './project.ts';
import type { Service } from '../service/endpoints.ts';
import { unknownAccount, unknownProject } from './projectErrors.ts';
import { isOf } from './projectService.ts';
import { t } from '../text/l10n.ts';
import { UserError } from '../text/userError.ts';

/**
 * Changes of the settings value `runhook.projects`. Entries that cannot be read, and fields that Runhook does
 * not know, stay as they are: somebody wrote them.
 */

/** @throws UserError where the list has that project */
export function addProject(list: readonly unknown[], project: Project): unknown[] {
  if (list.some((entry) => isProject(entry, project.id))) {
    throw new UserError(t('The project {0} is there already.', project.id));
  }
  return [...list, project];
}

/** @throws UserError where the list has no such project */
export function removeProject(list: readonly unknown[], projectId: string): unknown[] {
  const kept = list.filter((entry) => !isProject(entry, projectId));
  if (kept.length === list.length) throw unknownProject(projectId);
  return kept;
}

/** @throws UserError where the list has no such project, or the project has a child of that id */
export function addChild(
  list: readonly unknown[],
  projectId: string,
  field: 'serviceAccounts' | 'apps',
  child: ServiceAccount | App,
): unknown[] {
  const index = list.findIndex((entry) => isProject(entry, projectId));
  if (index < 0) throw unknownProject(projectId);
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
): unknown[] {
  const index = list.findIndex((entry) => isProject(entry, projectId));
  if (index < 0) throw unknownProject(projectId);
  const project = list[index] as Record<string, unknown> & { serviceAccounts?: { id: string }[] };
  const accounts = project.serviceAccounts ?? [];
  const at = accounts.findIndex(({ id }) => id.trim() === serviceAccountId);
  if (at < 0) throw unknownAccount(projectId, serviceAccountId);
  const changed: Partial<ServiceAccount> = { ...accounts[at] };
  if (environment === undefined) delete changed.environment;
  else changed.environment = environment;
  return list.with(index, { ...project, serviceAccounts: accounts.with(at, changed as ServiceAccount) });
}

/**
 * Gives a project addresses of its own, or takes them away. A list that does not have the project gets an entry.
 * @param service undefined for those of all projects
 */
export function setOwnService(
  list: readonly unknown[],
  { id, name }: { id: string; name?: string },
  service: Service | undefined,
): unknown[] {
  const given = Object.entries(service ?? {}).filter(([, address]) => address !== '');
  const cleared = list.map((entry) => (isOf(entry, id) ? withoutService(entry) : entry));
  if (given.length === 0) return cleared;
  const index = cleared.findIndex((entry) => isOf(entry, id));
  const entry = cleared[index] ?? { id, ...(name !== undefined && { name }) };
  const changed = { ...entry, ...Object.fromEntries(given) };
  return index < 0 ? [...cleared, changed] : cleared.with(index, changed);
}

function isProject(entry: unknown, projectId: string): boolean {
  return readProjects([entry])[0]?.id === projectId;
}

function withoutService(entry: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(entry).filter(([key]) => key !== 'baseUrl' && key !== 'proxyUrl'));
}
