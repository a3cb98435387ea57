import * as vscode from 'vscode';
import { commandIds } from '../../../contract/commands.ts';
import { appKey } from '../../../service/runs/run.ts';
import { t } from '../../../shared/text/l10n.ts';
import { plainText } from '../../../shared/text/plainText.ts';
import type { AppRef } from '../../../service/projects/project.ts';
import { node, type Node, themeIcon } from '../../kit/tree.ts';
import { type Log, logError } from '../../kit/log.ts';
import type { AppRows, Projects } from '../../projects/feature.ts';
import { type PayloadFile, shownPath, type PayloadStore } from './payloadStore.ts';
import {
  mostPayloads,
  type KnownPayloads,
  type WorkspacePayload,
  type WorkspacePayloads,
} from './workspacePayloads.ts';

/** How many payloads of an app have rows. The limit keeps the runs below in reach; a list offers the rest. */
const mostRows = 50;

interface PayloadRowsParts {
  store: PayloadStore;
  shared: WorkspacePayloads;
  projects: Pick<Projects, 'all'>;
  log: Log;
}

/** The payloads of an app, shown under it in the Projects view: the workspace's first, then what lies on this machine. */
export class PayloadRows implements AppRows, vscode.Disposable {
  readonly #parts: PayloadRowsParts;
  readonly #changed = new vscode.EventEmitter<AppRef>();
  readonly #subscriptions: vscode.Disposable;
  /** The payloads of this machine, by the path of their app's folder; undefined until they are listed. */
  #stored: ReadonlyMap<string, readonly PayloadFile[]> | undefined;
  /** The payloads of the workspace, by the name of their app. */
  #grouped: { of: KnownPayloads; byApp: ReadonlyMap<string, readonly WorkspacePayload[]> } | undefined;

  readonly onDidChange = this.#changed.event;

  constructor(parts: PayloadRowsParts) {
    this.#parts = parts;
    const { store, shared } = parts;
    this.#subscriptions = vscode.Disposable.from(
      shared.onDidChange(() => this.#announce()),
      store.onDidChange(() => this.#listStored()),
      // Another window may have changed them.
      vscode.window.onDidChangeWindowState(({ focused }) => {
        if (focused && this.#stored !== undefined) this.#listStored();
      }),
    );
  }

  of({ projectId, appName }: AppRef): Node[] {
    const app = { projectId, appName };
    const known = this.#parts.shared.known();
    if (this.#stored === undefined) this.#listStored();
    const stored = this.#stored?.get(this.#parts.store.folder(app).path) ?? [];
    if (known !== this.#grouped?.of) {
      this.#grouped = { of: known, byApp: Map.groupBy(known.payloads, (one) => one.appName) };
    }
    const shared = payloadsFor(app, this.#grouped.byApp.get(appName) ?? []);
    const all = [...shared, ...stored.map((one) => ({ ...one, ...app }))];
    return [
      ...all.slice(0, mostRows).map(payloadRow),
      ...(all.length > mostRows ? [moreRow(app, all.length - mostRows)] : []),
      ...(known.isCut && shared.length > 0 ? [cutRow(app)] : []),
    ];
  }

  dispose(): void {
    this.#subscriptions.dispose();
    this.#changed.dispose();
  }

  /** Fires once per project: the view then refreshes all apps of the project. */
  #announce(): void {
    for (const { id: projectId } of this.#parts.projects.all())
      this.#changed.fire({ projectId, appName: '' });
  }

  /** Lists those of all apps at once: there may be thousands of apps, and most have none. */
  #listStored(): void {
    // Set before the listing ends, so that a redraw of the view does not list again.
    const before = (this.#stored ??= new Map());
    this.#parts.store.all().then(
      (found) => {
        this.#stored = Map.groupBy(found, ({ uri }) => vscode.Uri.joinPath(uri, '..').path);
        if (shapeOf(this.#stored) !== shapeOf(before)) this.#announce();
      },
      (error: unknown) => {
        this.#stored = undefined;
        logError(this.#parts.log, error);
      },
    );
  }
}

function shapeOf(stored: ReadonlyMap<string, readonly PayloadFile[]>): string {
  return JSON.stringify([...stored.values()].flat().map(({ uri }) => uri.path));
}

/** The workspace payloads of an app, sorted by name. */
export function payloadsFor({ projectId, appName }: AppRef, all: readonly WorkspacePayload[]): PayloadFile[] {
  return all
    .filter((one) => one.appName === appName && (one.projectId ?? projectId) === projectId)
    .map(({ name, uri }): PayloadFile => ({ projectId, appName, name, uri, place: 'workspace' }))
    .sort((a, b) => a.name.localeCompare(b.name));
}

/** Where a payload is kept, in a word or two. */
export function placeText({ place, uri }: PayloadFile): string {
  if (place === 'machine') return t('this machine');
  const several = (vscode.workspace.workspaceFolders ?? []).length > 1;
  const folder = several ? vscode.workspace.getWorkspaceFolder(uri) : undefined;
  return folder === undefined ? t('workspace') : t('workspace {0}', plainText(folder.name));
}

function payloadRow(payload: PayloadFile): Node {
  const { projectId, appName, name, uri, place } = payload;
  const description = placeText(payload);
  return node({
    id: JSON.stringify(['payload', appKey(payload), uri.toString()]),
    label: plainText(name),
    description,
    icon: themeIcon(place === 'machine' ? 'device-desktop' : 'repo'),
    context: `payload ${place}`,
    tooltip:
      place === 'machine'
        ? t('Payload on this machine: {0}', plainText(shownPath(uri), 300))
        : t('Payload in the workspace: {0}', plainText(vscode.workspace.asRelativePath(uri), 300)),
    spoken: t('Payload {0}, {1}', plainText(name), description),
    argument: { projectId, appName, name, file: uri.toString() },
    click: { command: commandIds.openPayload, title: t('Open Payload') },
  });
}

/** A row for the remaining payloads. It opens the list of *Open Payload*, which has all payloads. */
function moreRow(app: AppRef, count: number): Node {
  return node({
    id: JSON.stringify(['payloads', 'more', app]),
    label: count === 1 ? t('1 more payload…') : t('{0} more payloads…', count),
    icon: themeIcon('ellipsis'),
    context: 'payloads',
    argument: { ...app, name: '' },
    click: { command: commandIds.openPayload, title: t('Open Payload') },
  });
}

function cutRow(app: AppRef): Node {
  return node({
    id: JSON.stringify(['payloads', 'cut', app]),
    label: t('The first {0} payload files are shown', mostPayloads),
    description: t('the workspace has more'),
    icon: themeIcon('warning', 'problemsWarningIcon.foreground'),
    context: 'payloads',
    argument: app,
  });
}
