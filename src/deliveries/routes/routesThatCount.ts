import type { ForwardTarget, ForwardTargets, Permission } from '../destination.ts';
import { t } from '../../shared/text/l10n.ts';
import { plainText } from '../../shared/text/plainText.ts';
import { writtenAddress } from '../../service/typedAddress.ts';

/** How many routes are read of a workspace and its folders together: somebody else may have written them. */
export const mostSharedRoutes = 1000;

/** Stands for the apps that have no route of their own. */
export const otherApps = '*';

/** Where one place of the settings sends deliveries: the user's, the workspace's, or one folder's settings. */
export interface RoutePlace {
  isOfUser?: true;
  /** Absent for the user and the workspace. */
  folder?: { name: string; index: number };
  /** Absent if the place does not set it; empty if it turns forwarding off. */
  forwardTo?: string;
  /** `runhook.listener.routes`. */
  routes: ReadonlyMap<string, string>;
  /** The names of the apps of a folder's projects. */
  appNames?: readonly string[];
}

export interface RoutePlaces {
  /** Whether the settings of the workspace and its folders count. */
  isTrusted: boolean;
  ofUser: RoutePlace;
  workspace: RoutePlace;
  /** In the order of the workspace. */
  folders: readonly RoutePlace[];
  /** How many routes of the workspace and its folders are not read, because there are too many. */
  leftOut?: number;
}

/** An address from the settings, and the place that sets it. Empty: forwarding is off. */
export interface SetAddress {
  address: string;
  place: RoutePlace;
}

/** A setting that has no effect, which the user has to be told. */
export type UnusedRoute =
  /** Two folders forward the same app to different addresses. */
  | { kind: 'conflict'; appName: string; used: SetAddress; unused: SetAddress }
  /** It is not known which apps a folder's address is for: its projects name none. */
  | { kind: 'noApps'; folder: string }
  /** The workspace has more routes than are read. */
  | { kind: 'tooMany'; leftOut: number };

interface SetRoutes {
  apps: ReadonlyMap<string, SetAddress>;
  /** For all other apps, and for deliveries whose app is not known; absent if no place sets one. */
  rest?: SetAddress;
  unused: readonly UnusedRoute[];
}

/**
 * The routes of a settings value that people edit by hand: entries whose address is not a text are ignored.
 * @param most how many are read at most; the rest is counted as left out
 */
export function readRoutes(
  value: unknown,
  most = Infinity,
): { routes: Map<string, string>; leftOut: number } {
  const entries = typeof value === 'object' && value !== null ? Object.entries(value) : [];
  const written = entries.flatMap(([appName, address]: [string, unknown]): [string, string][] =>
    typeof address === 'string' ? [[appName, address.trim()]] : [],
  );
  const routes = new Map(written.slice(0, most));
  return { routes, leftOut: written.length - routes.size };
}

/**
 * Where the settings send deliveries, before it is checked whether they may go there. The route of an app wins over
 * its folder's address for all of its apps, and that over the address for the rest. Of routes, the nearest place
 * wins: a folder, then the workspace, then the user. For the rest, the workspace wins over the folders, which count
 * if they all agree, and those over the user. In one place `*` wins over `forwardTo`.
 */
export function setRoutes(places: RoutePlaces): SetRoutes {
  const { isTrusted, ofUser, workspace, folders: all, leftOut = 0 } = places;
  // guard S58: Addresses of a workspace are ignored while it is not trusted.
  const others = isTrusted ? [workspace, ofUser] : [ofUser];
  const folders = isTrusted ? all : [];
  const apps = new Map<string, SetAddress>();
  const unused: UnusedRoute[] = isTrusted && leftOut > 0 ? [{ kind: 'tooMany', leftOut }] : [];
  const foldersOf = new Map<string, RoutePlace[]>();
  for (const place of folders) {
    for (const appName of new Set(place.appNames)) {
      const known = foldersOf.get(appName) ?? [];
      known.push(place);
      foldersOf.set(appName, known);
    }
  }
  const named = [...others, ...folders].flatMap(({ routes, appNames = [] }) => [
    ...routes.keys(),
    ...appNames,
  ]);
  for (const appName of new Set(named)) {
    if (appName === otherApps) continue;
    const [used, ...rest] =
      [
        folders.flatMap((place) => setIn(place, place.routes.get(appName))),
        others.flatMap((place) => setIn(place, place.routes.get(appName))).slice(0, 1),
        (foldersOf.get(appName) ?? []).flatMap(restOf),
      ].find((found) => found.length > 0) ?? [];
    if (used === undefined) continue;
    apps.set(appName, used);
    const conflicts = rest.filter(({ address }) => address !== used.address);
    unused.push(...conflicts.map((one): UnusedRoute => ({ kind: 'conflict', appName, used, unused: one })));
  }
  const ofFolders = folders.flatMap(restOf);
  const isOne = new Set(ofFolders.map(({ address }) => address)).size === 1;
  const [rest] = [...(isTrusted ? restOf(workspace) : []), ...(isOne ? ofFolders : []), ...restOf(ofUser)];
  for (const { address, place } of ofFolders) {
    const { folder, appNames = [] } = place;
    if (appNames.length === 0 && address !== rest?.address) {
      unused.push({ kind: 'noApps', folder: folder?.name ?? '' });
    }
  }
  return { apps, rest, unused };
}

function restOf(place: RoutePlace): SetAddress[] {
  return setIn(place, place.routes.get(otherApps) ?? place.forwardTo);
}

function setIn(place: RoutePlace, address: string | undefined): SetAddress[] {
  return address === undefined ? [] : [{ address, place }];
}

/** The message about a folder's address that has no effect. */
export function unusedRouteText(what: UnusedRoute): string {
  switch (what.kind) {
    case 'conflict':
      return t(
        '{0} has two forwarding addresses. {2} from {1} is used; {4} from {3} is not.',
        plainText(what.appName, 60),
        ...placeAndAddress(what.used),
        ...placeAndAddress(what.unused),
      );
    case 'noApps':
      return t(
        'The forwarding address of folder {0} is not used, because its projects list no app. List its apps in "runhook.listener.routes".',
        plainText(what.folder, 60),
      );
    case 'tooMany':
      return t(
        'The workspace has too many routes in "runhook.listener.routes": the first {0} are used, {1} are not.',
        mostSharedRoutes,
        what.leftOut,
      );
  }
}

function placeAndAddress({ place, address }: SetAddress): [folder: string, address: string] {
  return [plainText(place.folder?.name ?? '', 60), address === '' ? t('off') : plainText(address, 100)];
}

/** Where the settings send deliveries, each address with whether deliveries may go there. */
export function forwardTargets(places: RoutePlaces, permissionFor: (to: URL) => Permission): ForwardTargets {
  const target = (address: string): ForwardTarget => {
    if (address === '') return { kind: 'off' };
    const to = writtenAddress(address);
    return to ? { kind: permissionFor(to), to: to.href } : { kind: 'invalid', text: address };
  };
  const { apps, rest } = setRoutes(places);
  const off: ForwardTarget = { kind: places.isTrusted ? 'off' : 'untrusted' };
  return {
    apps: new Map([...apps].map(([appName, { address }]) => [appName, target(address)])),
    rest: rest === undefined ? off : target(rest.address),
  };
}
