import type { HeldSecret } from '../../service/signature/webhookSecret.ts';

/**
 * The secret that signs deliveries of an app: the app's own, else its project's. Undefined if neither has one, or if
 * several apps or projects match the name.
 * @param projectIds the ids of the projects that have an app with that name
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
