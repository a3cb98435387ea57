import type { Project } from './project.ts';

/**
 * The projects of several lists, each once: with the service accounts and the apps that any of them names. What two say
 * of the same goes by the first.
 */
export function mergedProjects(projects: readonly Project[]): Project[] {
  const byId = new Map<string, Project>();
  for (const project of projects) {
    const { serviceAccounts = [], apps = [], ...before } = byId.get(project.id) ?? {};
    byId.set(project.id, {
      ...project,
      ...before,
      serviceAccounts: together(serviceAccounts, project.serviceAccounts),
      apps: together(apps, project.apps),
    });
  }
  return [...byId.values()];
}

function together<T extends { id: string }>(first: readonly T[], then: readonly T[]): T[] {
  return [...first, ...then.filter(({ id }) => !first.some((one) => one.id === id))];
}
