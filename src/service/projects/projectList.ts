import { isJsonObject } from '../../shared/json/jsonObject.ts';
import type { Service } from '../endpoints.ts';
import { t } from '../../shared/text/l10n.ts';
import { UserError } from '../../shared/text/userError.ts';
import { type App, type Project, readProjects, type ServiceAccount } from './project.ts';
import { unknownAccount, unknownApp, unknownProject } from './projectErrors.ts';

/**
 * Functions that change the value of the setting `runhook.projects`. Entries that cannot be read, and fields that
 * Runhook does not know, stay as they are: somebody wrote them.
 */

/** A project, or one of its service accounts or apps. */
export interface EntryRef {
  projectId: string;
  serviceAccountId?: string | undefined;
  appId?: string | undefined;
}

/** The values of an entry that can be changed. */
export interface EntryValues {
  name?: string | undefined;
  /** Only for a service account. */
  environment?: string | undefined;
}

type Entry = Record<string, unknown>;

/** Whether a project is, or contains, the referenced entry. */
export function hasEntry(project: Project, { projectId, serviceAccountId, appId }: EntryRef): boolean {
  const has = (children: readonly { id: string }[], id: string | undefined): boolean =>
    id === undefined || children.some((one) => one.id === id);
  return (
    project.id === projectId && has(project.serviceAccounts, serviceAccountId) && has(project.apps, appId)
  );
}

/** @throws UserError if the list already has that project */
export function addProject(list: readonly unknown[], project: Project): unknown[] {
  if (list.some((entry) => isProject(entry, project.id))) {
    throw new UserError(t('The project {0} already exists.', project.id));
  }
  return [...list, project];
}

/** @throws UserError if the list has no such project, or the project already has a child with that id */
export function addChild(
  list: readonly unknown[],
  projectId: string,
  field: 'serviceAccounts' | 'apps',
  child: ServiceAccount | App,
): unknown[] {
  return replaced(list, { projectId }, (entry) => {
    const children = childrenOf(entry, field);
    if (children.some((one) => one.id.trim() === child.id)) {
      throw new UserError(t('The project {0} already has {1}.', projectId, child.id));
    }
    return { ...entry, [field]: [...children, child] };
  });
}

/** @throws UserError if the list has no such entry */
export function removeEntry(list: readonly unknown[], ref: EntryRef): unknown[] {
  return replaced(list, ref, () => undefined);
}

/**
 * Changes the values of an entry; undefined removes a value.
 * @throws UserError if the list has no such entry
 */
export function changeEntry(list: readonly unknown[], ref: EntryRef, values: EntryValues): unknown[] {
  return replaced(list, ref, (entry) =>
    Object.fromEntries(
      Object.entries<string | undefined>({ ...entry, ...values }).filter(([, value]) => value !== undefined),
    ),
  );
}

/**
 * Sets or removes a project's own addresses. Setting them adds an entry if the list does not have the project.
 * @param service undefined to use the addresses of all projects
 */
export function setOwnService(
  list: readonly unknown[],
  { id, name }: { id: string; name?: string },
  service: Service | undefined,
): unknown[] {
  const given = Object.entries(service ?? {}).filter(([, address]) => address !== '');
  const cleared = list.map((entry) => (isOf(entry, id) ? withoutService(entry) : entry));
  if (given.length === 0) return cleared;
  const index = cleared.findIndex((entry) => isOf(entry, id));
  const entry = cleared[index] ?? { id, ...(name !== undefined && { name }) };
  const changed = { ...entry, ...Object.fromEntries(given) };
  return index < 0 ? [...cleared, changed] : cleared.with(index, changed);
}

/** The list with one entry replaced, or removed if `change` returns undefined. */
function replaced(
  list: readonly unknown[],
  { projectId, serviceAccountId, appId }: EntryRef,
  change: (entry: Entry) => Entry | undefined,
): unknown[] {
  // The list may name the project twice, and the account or app only in one of these entries.
  const hasAll = (entry: unknown) =>
    readProjects([entry]).some((one) => hasEntry(one, { projectId, serviceAccountId, appId }));
  const withEntry = list.findIndex(hasAll);
  const index = withEntry < 0 ? list.findIndex((entry) => isProject(entry, projectId)) : withEntry;
  if (index < 0) throw unknownProject(projectId);
  const project = list[index] as Entry;
  const childId = serviceAccountId ?? appId;
  if (childId === undefined) return spliced(list, index, change(project));
  const field = serviceAccountId === undefined ? 'apps' : 'serviceAccounts';
  const children = childrenOf(project, field);
  const at = children.findIndex(({ id }) => id.trim() === childId);
  const child = children[at];
  if (child === undefined) {
    throw field === 'apps' ? unknownApp(projectId, childId) : unknownAccount(projectId, childId);
  }
  return list.with(index, { ...project, [field]: spliced(children, at, change(child)) });
}

function spliced(list: readonly unknown[], at: number, entry: unknown): unknown[] {
  return list.toSpliced(at, 1, ...(entry === undefined ? [] : [entry]));
}

function childrenOf(project: Entry, field: 'serviceAccounts' | 'apps'): (Entry & { id: string })[] {
  return (project[field] ?? []) as (Entry & { id: string })[];
}

function isProject(entry: unknown, projectId: string): boolean {
  return readProjects([entry])[0]?.id === projectId;
}

function withoutService(entry: Entry): Entry {
  return Object.fromEntries(Object.entries(entry).filter(([key]) => key !== 'baseUrl' && key !== 'proxyUrl'));
}

/**
 * The own addresses of the projects in a list of `runhook.projects`, by project id. Those of a project belong together:
 * a missing one is empty, and never taken from another service.
 */
export function ownServices(list: unknown): Map<string, Service> {
  const services = new Map<string, Service>();
  for (const entry of Array.isArray(list) ? list : []) {
    if (!isJsonObject(entry)) continue;
    const id = textOf(entry['id']);
    const service = { baseUrl: textOf(entry['baseUrl']), proxyUrl: textOf(entry['proxyUrl']) };
    const isSet = service.baseUrl !== '' || service.proxyUrl !== '';
    if (isSet && !services.has(id)) services.set(id, service);
  }
  return services;
}

/** Whether a list entry is that project, whatever else it contains. */
export function isOf(entry: unknown, projectId: string): entry is Record<string, unknown> {
  return isJsonObject(entry) && textOf(entry['id']) === projectId;
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value.trim() : '';
}
