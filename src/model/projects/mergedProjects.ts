import type { App, Project, ServiceAccount } from './project.ts';

/**
 * Merges the projects of one or several lists by id, with the service accounts and apps that any of them names, each
 * once. If two entries differ, the first wins.
 */
export function mergedProjects(projects: readonly Project[]): Project[] {
  const entriesById = Map.groupBy(projects, ({ id }) => id);
  return [...entriesById.values()].map((entries) => ({
    ...entries.reduceRight((rest, entry) => Object.assign(rest, entry), {} as Project),
    serviceAccounts: onceEach<ServiceAccount>(entries.flatMap(({ serviceAccounts }) => serviceAccounts)),
    apps: onceEach<App>(entries.flatMap(({ apps }) => apps)),
  }));
}

/** The entries without those whose id an earlier one has. */
function onceEach<T extends { id: string }>(all: readonly T[]): T[] {
  const byId = new Map<string, T>();
  for (const one of all) if (!byId.has(one.id)) byId.set(one.id, one);
  return [...byId.values()];
}
