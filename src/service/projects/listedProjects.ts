import { isJsonObject } from '../../shared/json/jsonObject.ts';
import type { Service } from '../endpoints.ts';
import { isProduction } from './environment.ts';
import { type App, type Project, type ServiceAccount, readProjects } from './project.ts';
import { type EntryRef, hasEntry, ownServices } from './projectList.ts';

/** How much is read of the lists of a workspace, which somebody else may have written. */
export const mostShared = { projects: 500, serviceAccounts: 2000, apps: 2000 };

/** The setting `runhook.projects` of each place, as it was written. */
export interface ProjectLists<Place> {
  ofUser: unknown;
  /** The lists of the workspace and then of its folders, which others may share. */
  shared: readonly { place: Place; list: unknown }[];
}

/** The projects of a place that others may share, as far as they are read. */
export interface SharedProjects<Place> {
  place: Place;
  projects: readonly Project[];
}

/** How many projects, service accounts and apps of a list are not read: not valid, or more than is read of a workspace. */
export interface LeftOut<Place> {
  place: Place | 'user';
  /** `all` where it is not a list. */
  count: number | 'all';
}

/**
 * The projects in the settings of all places, read once: each question about one of them is answered without going
 * through the lists again, however long they are.
 */
export class ListedProjects<Place> {
  /**
   * The workspace's projects, then the user's projects that the workspace does not list. An account that any list
   * marks as production stays production.
   */
  readonly all: readonly Project[];
  readonly byId: ReadonlyMap<string, Project>;
  /** What was read of each place that others may share. */
  readonly shared: readonly SharedProjects<Place>[];
  /** Whether the workspace or one of its folders has its own list. */
  readonly areShared: boolean;
  /** The lists that are not read whole. */
  readonly leftOut: readonly LeftOut<Place>[];
  readonly #ownServices: ReadonlyMap<string, Service>;
  readonly #sharedServices: readonly ReadonlyMap<string, Service>[];
  readonly #entries = new Map<string, { place: Place; project: Project }[]>();

  constructor({ ofUser, shared }: ProjectLists<Place>) {
    const bounded = boundedLists(shared.map(({ list }) => list));
    this.shared = shared.map(({ place }, at) => ({ place, projects: readProjects(bounded[at]) }));
    this.areShared = shared.some(({ list }) => list !== undefined);
    for (const { place, projects } of this.shared) {
      for (const project of projects) {
        const entries = this.#entries.get(project.id) ?? [];
        entries.push({ place, project });
        this.#entries.set(project.id, entries);
      }
    }
    const ofWorkspace = this.shared.flatMap(({ projects }) => projects);
    const own = readProjects(ofUser);
    this.leftOut = [...shared, { place: 'user' as const, list: ofUser }]
      .map(({ place, list }, at) => ({
        place,
        count: Array.isArray(list ?? [])
          ? entriesIn(list) - entriesIn(this.shared[at]?.projects ?? own)
          : ('all' as const),
      }))
      .filter(({ count }) => count !== 0);
    const others = mergedProjects(own).filter(({ id }) => !this.#entries.has(id));
    // guard S51: An account that the user calls `prod` stays that, whatever a workspace calls it.
    this.all = keepProduction([...mergedProjects(ofWorkspace), ...others], [...own, ...ofWorkspace]);
    this.byId = new Map(this.all.map((project) => [project.id, project]));
    // guard S47: The addresses of a project count only in the user settings.
    this.#ownServices = ownServices(ofUser);
    this.#sharedServices = bounded.map(ownServices);
  }

  /** Where an entry is kept. If several lists have its project: the first list with the entry, else the first. */
  placeOf(ref: EntryRef): Place | 'user' {
    const candidates = this.#entries.get(ref.projectId) ?? [];
    const found = candidates.find(({ project }) => hasEntry(project, ref)) ?? candidates[0];
    return found?.place ?? 'user';
  }

  /** The project's own addresses in the user settings; undefined if it has none. */
  ownService(projectId: string): Service | undefined {
    return this.#ownServices.get(projectId);
  }

  /** The addresses that the workspace or its folders set for a project, each once. They are in use nowhere. */
  sharedAddresses(projectId: string): string[] {
    const named = this.#sharedServices.flatMap((services) => services.get(projectId) ?? []);
    return [...new Set(named.flatMap(({ baseUrl, proxyUrl }) => [baseUrl, proxyUrl]))];
  }
}

/** How many projects, service accounts and apps a list has, valid or not. */
function entriesIn(list: unknown): number {
  if (!Array.isArray(list)) return 0;
  const below = list
    .filter((entry) => isJsonObject(entry))
    .flatMap(({ serviceAccounts, apps }) => [serviceAccounts, apps])
    .filter((entries) => Array.isArray(entries));
  return below.reduce((sum, { length }) => sum + length, list.length);
}

/** The beginnings of the lists that hold no more than `mostShared` together. */
function boundedLists(lists: readonly unknown[]): unknown[] {
  const left = { ...mostShared };
  // guard S48: Only a bounded part of the lists of a workspace is read.
  const take = (kind: keyof typeof mostShared, list: readonly unknown[]): unknown[] => {
    const taken = list.slice(0, left[kind]);
    left[kind] -= taken.length;
    return taken;
  };
  return lists.map((list) =>
    !Array.isArray(list)
      ? list
      : take('projects', list).map((entry) => {
          if (!isJsonObject(entry)) return entry;
          const { serviceAccounts, apps } = entry;
          return {
            ...entry,
            ...(Array.isArray(serviceAccounts) && {
              serviceAccounts: take('serviceAccounts', serviceAccounts),
            }),
            ...(Array.isArray(apps) && { apps: take('apps', apps) }),
          };
        }),
  );
}

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

/** Restores every production label that one of the lists gives an account: no other list can remove it. */
export function keepProduction(projects: readonly Project[], lists: readonly Project[]): Project[] {
  const labels = new Map<string, string>();
  for (const { id: projectId, serviceAccounts } of lists) {
    for (const { id, environment } of serviceAccounts) {
      const key = JSON.stringify([projectId, id]);
      if (environment !== undefined && !labels.has(key) && isProduction(environment)) {
        labels.set(key, environment);
      }
    }
  }
  return projects.map((project) => ({
    ...project,
    serviceAccounts: project.serviceAccounts.map((account) => {
      const environment = labels.get(JSON.stringify([project.id, account.id]));
      return environment === undefined ? account : { ...account, environment };
    }),
  }));
}
