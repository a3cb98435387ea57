import type { Project } from './project.ts';

/**
 * Merges the projects of one or several lists by id, with the service accounts and apps that any of them names, each
 * once. If two entries differ, the first wins.
 */
export function mergedProjects(projects: readonly Project[]): Project[] {
  const byId = new Map<string, Project>();
  for (const project of projects) {
    const { serviceAccounts = [], apps = [], ...before } = byId.get(project.id) ?? {};
    byId.set(project.id, {
      ...project,
      ...before,
      serviceAccounts: mergedById(serviceAccounts, project.serviceAccounts),
      apps: mergedById(apps, project.apps),
    });
  }
  return [...byId.values()];
}

function mergedById<T extends { id: string }>(first: readonly T[], then: readonly T[]): T[] {
  const all = [...first, ...then];
  const byId = new Map(all.toReversed().map((one) => [one.id, one]));
  return all.filter((one) => byId.get(one.id) === one);
}
