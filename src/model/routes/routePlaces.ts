/** Stands for the apps that have no route of their own. */
export const otherApps = '*';

/** What one place of the settings says of where deliveries go: the user's, the workspace's, or those of one folder. */
export interface RoutePlace {
  isOfUser?: true;
  /** Absent for the user and the workspace. */
  folder?: { name: string; index: number };
  /** Absent where the place says nothing; empty where it has forwarding off. */
  forwardTo?: string;
  /** `runhook.listener.routes`. */
  routes: ReadonlyMap<string, string>;
  /** The names of the apps of a folder's projects. */
  appNames?: readonly string[];
}

export interface RoutePlaces {
  /** Whether workspace and folders have a say. */
  isTrusted: boolean;
  ofUser: RoutePlace;
  workspace: RoutePlace;
  /** In the order of the workspace. */
  folders: readonly RoutePlace[];
}

/** An address as it is set, and by which place. Empty: forwarding is off. */
export interface SetAddress {
  address: string;
  place: RoutePlace;
}

/** What of the settings counts for nothing, and has to be said. */
export type Unheeded =
  /** Two folders have the same app go to different addresses. */
  | { kind: 'conflict'; appName: string; heeded: SetAddress; unheeded: SetAddress }
  /** Deliveries of what apps a folder means is not known: its projects name none. */
  | { kind: 'noApps'; folder: string };

export interface SetRoutes {
  apps: ReadonlyMap<string, SetAddress>;
  /** Of all other apps, and of deliveries whose app is not known; absent where no place says. */
  rest?: SetAddress;
  unheeded: readonly Unheeded[];
}

/** The routes of a settings value that people edit by hand: what is no address in a text is left out. */
export function readRoutes(value: unknown): Map<string, string> {
  const entries = typeof value === 'object' && value !== null ? Object.entries(value) : [];
  return new Map(
    entries.flatMap(([appName, address]: [string, unknown]) =>
      typeof address === 'string' ? [[appName, address.trim()]] : [],
    ),
  );
}

/**
 * Where the settings have deliveries go; nothing of it is allowed yet. A route of an app counts before what its folder has for all of its apps,
 * and that before what is set for the rest. Of the same kind the nearest place counts: a folder before the
 * workspace, and that before the user; in one place `*` counts before `forwardTo`.
 */
export function setRoutes({ isTrusted, ofUser, workspace, folders: all }: RoutePlaces): SetRoutes {
  // guard: `runhook.listener.forwardTo` is ignored while the workspace is not trusted
  const others = isTrusted ? [workspace, ofUser] : [ofUser];
  const folders = isTrusted ? all : [];
  const apps = new Map<string, SetAddress>();
  const unheeded: Unheeded[] = [];
  const named = [...others, ...folders].flatMap(({ routes, appNames = [] }) => [
    ...routes.keys(),
    ...appNames,
  ]);
  for (const appName of new Set(named)) {
    if (appName === otherApps) continue;
    const [heeded, ...rest] =
      [
        folders.flatMap((place) => setIn(place, place.routes.get(appName))),
        others.flatMap((place) => setIn(place, place.routes.get(appName))).slice(0, 1),
        folders.flatMap((place) => (place.appNames?.includes(appName) ? restOf(place) : [])),
      ].find((found) => found.length > 0) ?? [];
    if (heeded === undefined) continue;
    apps.set(appName, heeded);
    const conflicts = rest.filter(({ address }) => address !== heeded.address);
    unheeded.push(
      ...conflicts.map((one): Unheeded => ({ kind: 'conflict', appName, heeded, unheeded: one })),
    );
  }
  const ofFolders = folders.flatMap(restOf);
  const isOne = new Set(ofFolders.map(({ address }) => address)).size === 1;
  const [rest] = [...(isTrusted ? restOf(workspace) : []), ...(isOne ? ofFolders : []), ...restOf(ofUser)];
  for (const { address, place } of ofFolders) {
    const { folder, appNames = [] } = place;
    if (appNames.length === 0 && address !== rest?.address) {
      unheeded.push({ kind: 'noApps', folder: folder?.name ?? '' });
    }
  }
  return { apps, ...(rest !== undefined && { rest }), unheeded };
}

function restOf(place: RoutePlace): SetAddress[] {
  return setIn(place, place.routes.get(otherApps) ?? place.forwardTo);
}

function setIn(place: RoutePlace, address: string | undefined): SetAddress[] {
  return address === undefined ? [] : [{ address, place }];
}
