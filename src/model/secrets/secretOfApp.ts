import type { HeldSecret } from './webhookSecret.ts';

/**
 * The secret that deliveries of an app are signed with: its own, else that of its project. Undefined where neither has
 * one, or several of one name have.
 * @param projectIds of the projects that have an app of that name
 */
export function secretOfApp(
  appName: string,
  projectIds: ReadonlySet<string>,
  held: readonly HeldSecret[],
): string | undefined {
  const current = held.filter(({ until }) => until === undefined);
  const own = current.filter(({ owner }) => owner.kind === 'app' && owner.name === appName);
  const ofProjects = current.filter(
    ({ owner }) => owner.kind === 'project' && projectIds.has(owner.projectId),
  );
  const [only, another] = own.length > 0 ? own : ofProjects;
  return another === undefined ? only?.secret : undefined;
}
