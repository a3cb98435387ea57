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

/** What every unknown project says. */
export function unknownProject(projectId: string, t: Translate): UserError {
  return new UserError(t('There is no project {0}. Add it first (Runhook: Add Project…).', projectId));
}

function isProject(entry: unknown, projectId: string): boolean {
  return readProjects([entry])[0]?.id === projectId;
}
