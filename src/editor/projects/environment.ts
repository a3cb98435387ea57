import type { Project } from '../../model/project.ts';

/** Whether calls under an account of that environment ask first. */
export function isProduction(environment: string | undefined): boolean {
  return /^prod(uction)?$/i.test(environment?.trim() ?? '');
}

/** The projects with each label of production that the user gave: a workspace cannot take it away. */
export function keepProduction(projects: readonly Project[], ofUser: readonly Project[]): Project[] {
  const labels = new Map(
    ofUser.flatMap(({ id, serviceAccounts }) =>
      serviceAccounts
        .filter(({ environment }) => isProduction(environment))
        .map((account) => [JSON.stringify([id, account.id]), account.environment]),
    ),
  );
  return projects.map((project) => ({
    ...project,
    serviceAccounts: project.serviceAccounts.map((account) => {
      const environment = labels.get(JSON.stringify([project.id, account.id])) ?? account.environment;
      return { ...account, ...(environment !== undefined && { environment }) };
    }),
  }));
}
