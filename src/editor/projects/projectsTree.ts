import * as vscode from 'vscode';
import { commandIds } from '../../contract/commands.ts';
import { inBatches } from '../../shared/async/inBatches.ts';
import { originsInClear } from '../../service/endpoints.ts';
import type { Key } from '../../service/keys/key.ts';
import { type LeftOut, mostShared } from '../../service/projects/listedProjects.ts';
import {
  type AccountRef,
  type App,
  appName,
  type AppRef,
  type Project,
} from '../../service/projects/project.ts';
import type { SecretScope } from '../../service/signature/webhookSecret.ts';
import type { RunOutcomeLook } from '../../deliveries/runOutcome.ts';
import { ageText } from '../../shared/text/durationText.ts';
import { t } from '../../shared/text/l10n.ts';
import { plainText } from '../../shared/text/plainText.ts';
import type { SharedPlace } from '../kit/config.ts';
import { serviceSettings, settingIds } from '../kit/ids.ts';
import type { Services } from '../kit/services.ts';
import { joined, node, type Node, themeIcon, Tree } from '../kit/tree.ts';
import { type AccountLook, accountRow, keyRows, messageRow, missingToken, rowId } from './accountRows.ts';
import type { KeyLists } from './keyLists.ts';
import type { TerminalToken } from './terminalToken.ts';
import { inClearText } from './clearTextWatch.ts';

const { None, Collapsed, Expanded } = vscode.TreeItemCollapsibleState;
const warning = 'problemsWarningIcon.foreground';

/** How many keys of an account are shown before "Load More", and how many more each time. */
const pageSize = 200;

/** A list shows as loading only after this time, since the editor waits 200 ms between two changes of a view. */
const loadingAfterMs = 500;

/** The rows that another feature shows under each app of the Projects view. */
export interface AppRows {
  /** Fires when the rows under an app have changed. */
  readonly onDidChange: vscode.Event<AppRef>;
  of(app: AppRef): Node[];
  /** What the row of the app says of the newest of them. */
  newest?(app: AppRef): NewestRun | undefined;
}

export interface NewestRun extends RunOutcomeLook {
  /**
   * When its delivery arrived, so that both rows are of one age, else when it was started. In milliseconds since 1970;
   * absent while its delivery waits in the handler: how long, the row of that says.
   */
  at?: number;
}

/** How apps are run by one click. */
export interface RunWays {
  readonly onDidChangeWay: vscode.Event<AppRef | undefined>;
  /** One word: a menu goes by it. */
  usual(app: AppRef): string;
}

/** The rows of several features under each app, one after the other. */
export function stacked(...parts: readonly AppRows[]): AppRows {
  return {
    onDidChange: (listener, ...more) =>
      vscode.Disposable.from(...parts.map(({ onDidChange }) => onDidChange(listener, ...more))),
    of: (app) => parts.flatMap((one) => one.of(app)),
    newest: (app) => parts.map((one) => one.newest?.(app)).find((one) => one !== undefined),
  };
}

/** The rows of another feature below the projects of the Projects view, for instance about a failure. */
export interface ViewLines {
  readonly onDidChange: vscode.Event<unknown>;
  all(): Node[];
}

/** Where the data of the view comes from. */
export interface ProjectSources extends Pick<Services, 'projects' | 'tokens' | 'secrets' | 'log'> {
  keyLists: KeyLists;
  appRows: AppRows;
  ways: RunWays;
  lines: ViewLines;
  terminals: Pick<TerminalToken, 'isOf' | 'onDidChange'>;
  /** Milliseconds since 1970. */
  now: () => number;
}

/** The host of an address, as a row says it; empty for one that is none. */
function hostOf(address: string): string {
  return plainText(URL.parse(address)?.host ?? '');
}

/** The rows of the Projects view: project → service accounts → keys, and project → Apps → app. */
export class ProjectsTree extends Tree {
  readonly #sources: ProjectSources;
  readonly #subscriptions: vscode.Disposable;
  /** The number of keys shown per account, if it is more than a page. */
  readonly #shown = new Map<string, number>();
  #filter = '';

  constructor(sources: ProjectSources) {
    super();
    this.#sources = sources;
    const { projects, lines, secrets, keyLists, appRows, ways, terminals } = sources;
    const redrawApps = ({ projectId }: AppRef): void => this.redraw(rowId('apps', { projectId }));
    this.#subscriptions = vscode.Disposable.from(
      projects.onDidChange(() => this.redraw()),
      lines.onDidChange(() => this.redraw()),
      secrets.onDidChange(() => this.redraw()),
      terminals.onDidChange(() => this.redraw()),
      keyLists.onDidChange((ref) => (ref === undefined ? this.redraw() : this.#keysChanged(ref))),
      // The Apps row builds the app's row, which says whether the app can be expanded.
      appRows.onDidChange(redrawApps),
      ways.onDidChangeWay((app) => (app === undefined ? this.redraw() : redrawApps(app))),
    );
  }

  get filter(): string {
    return this.#filter;
  }

  /** Shows only keys whose name or id contains the text; the empty text shows all. */
  set filter(text: string) {
    this.#filter = text.trim().toLowerCase();
    this.#shown.clear();
    this.redraw();
  }

  showMore(ref: AccountRef): void {
    this.#shown.set(accountId(ref), this.#shownOf(ref) + pageSize);
    this.redraw(accountId(ref));
  }

  /** The row of an account, to reveal it; undefined if it was never drawn. */
  account(ref: AccountRef): Node | undefined {
    return this.folder(accountId(ref));
  }

  /** The row of a project, drawn or not, to reveal it; undefined if there is none. */
  async project(projectId: string): Promise<Node | undefined> {
    return (await this.getChildren()).find(({ item }) => item.id === rowId('project', { projectId }));
  }

  /** The same of its first app. */
  async firstApp(projectId: string): Promise<Node | undefined> {
    const appsRow = rowId('apps', { projectId });
    const project = await this.project(projectId);
    const apps = project && (await this.getChildren(project)).find(({ item }) => item.id === appsRow);
    return apps && (await this.getChildren(apps))[0];
  }

  override dispose(): void {
    super.dispose();
    this.#subscriptions.dispose();
  }

  protected override async roots(): Promise<Node[]> {
    const { projects, lines } = this.#sources;
    const hasSecret = await this.#ownSecretCheck();
    return [
      ...projects.leftOut.map((one, at) => leftOutRow(one, at)),
      ...(await inBatches(projects.all(), (project) =>
        this.#project(project, hasSecret({ projectId: project.id })),
      )),
      ...lines.all(),
    ];
  }

  #shownOf(ref: AccountRef): number {
    return this.#shown.get(accountId(ref)) ?? pageSize;
  }

  #passes({ id, name }: Key): boolean {
    return this.#filter === '' || [id, name].some((text) => text?.toLowerCase().includes(this.#filter));
  }

  #keysChanged(ref: AccountRef): void {
    // The row of the account counts the keys that expire, and is built with those of its project.
    const redraw = () => this.redraw(rowId('project', { projectId: ref.projectId }));
    // The 20 ms allow for a timer that fires early.
    if (this.#sources.keyLists.state(ref).kind === 'loading') setTimeout(redraw, loadingAfterMs + 20).unref();
    else redraw();
  }

  #project(project: Project, hasSecret: boolean): Node {
    const { projects } = this.#sources;
    const { id: projectId, name } = project;
    const transient = projects.transient(projectId);
    const inClear = originsInClear(projects.service(projectId));
    const own = projects.ownService(projectId);
    const host = own === undefined ? '' : hostOf(own.baseUrl || own.proxyUrl);
    // Beside "not encrypted" stands the host that is meant.
    const shownHost = own === undefined || inClear[0] === undefined ? host : hostOf(inClear[0]);
    const faults = transient?.faults ?? [];
    return node({
      id: rowId('project', { projectId }),
      label: joined(
        ' ⚠ ',
        plainText(name ?? projectId),
        faults.length > 1 ? t('{0} faults', faults.length) : faults[0],
      ),
      description: joined(' · ', inClear.length > 0 && t('not encrypted'), shownHost),
      context: joined(' ', 'project', transient ? 'transient' : 'kept', hasSecret && 'secret'),
      icon:
        transient === undefined
          ? themeIcon('project')
          : themeIcon('beaker', faults.length > 0 ? warning : undefined),
      tooltip: joined(
        '\n',
        t('Project {0}', plainText(projectId)),
        transient?.place,
        faults.length > 0 && t('It simulates {0}.', faults.join(', ')),
        projects.isShared(projectId) && t('Kept in the settings of this workspace'),
        host !== '' && t('Its service is at {0}.', host),
        inClear.length > 0 && inClearText(inClear),
        hasSecret && t('It has a webhook secret of its own.'),
      ),
      argument: { projectId },
      children: () => this.#projectChildren(project, inClear),
      state: Expanded,
    });
  }

  /** The rows under a project: warnings about its addresses, its accounts, and the Apps row. */
  async #projectChildren(project: Project, inClear: readonly string[]): Promise<Node[]> {
    const argument = { projectId: project.id };
    const rows: Node[] = [];
    const ignored = this.#sources.projects.ignoredAddresses(project.id);
    if (ignored.length > 0) {
      const tooltip = t('{0}: project addresses take effect only in your user settings.', ignored.join(', '));
      const [label, description] = [t('Address ignored'), t('Set Yours…')];
      const icon = themeIcon('shield', warning);
      const click = { command: commandIds.setProjectAddresses };
      rows.push(messageRow('addressIgnored', argument, { label, description, tooltip, icon, click }));
    }
    if (inClear.length > 0) {
      const [label, description] = [t('Not encrypted: use https'), inClearText(inClear)];
      const icon = themeIcon('unlock', warning);
      const ofAll = { command: 'workbench.action.openSettings', arguments: [serviceSettings] };
      const hasOwn = this.#sources.projects.ownService(project.id) !== undefined;
      const click = hasOwn ? { command: commandIds.setProjectAddresses } : ofAll;
      rows.push(messageRow('inClear', argument, { label, description, icon, click }));
    }
    const accounts = await this.#accounts(project);
    if (accounts.length === 0) {
      const add = { icon: themeIcon('add'), click: { command: commandIds.addServiceAccount } };
      rows.push(messageRow('addAccount', argument, { label: t('Add Service Account…'), ...add }));
    }
    return [...rows, ...accounts, this.#apps(project)];
  }

  async #accounts({ id: projectId, serviceAccounts }: Project): Promise<Node[]> {
    const { projects, tokens, keyLists, terminals } = this.#sources;
    const active = projects.activeAccount(projectId)?.id;
    const transient = projects.isTransient(projectId);
    const looks = await inBatches(serviceAccounts, async (account) => ({
      account,
      token: await tokens.state(projects.tokenOwner({ projectId, serviceAccountId: account.id })),
    }));
    return inBatches(looks, ({ account, token }) => {
      const ref = { projectId, serviceAccountId: account.id };
      const [keys, list] = [keyLists.knownKeys(ref), keyLists.state(ref)];
      const marks = { active: account.id === active, transient, isInTerminals: terminals.isOf(ref) };
      return this.#account(ref, { account, token, keys, list, ...marks });
    });
  }

  #account(ref: AccountRef, look: AccountLook): Node {
    const { keyLists, now } = this.#sources;
    const { token } = look;
    if (token.kind !== 'stored') {
      const { label, tooltip } = missingToken(token);
      const verb = t('Set Token…');
      const missing = messageRow('tokenMissing', ref, {
        label,
        description: verb,
        tooltip: joined('\n', tooltip, t('Click: {0}', verb)),
        ...{ icon: themeIcon('key', warning), click: { command: commandIds.setToken } },
      });
      return accountRow(ref, look, now(), { children: () => [missing] });
    }
    const state = () => {
      // onDidChange reports the result, including a failure.
      if (keyLists.state(ref).kind === 'unknown') keyLists.load(ref).catch(() => undefined);
      return keyLists.state(ref);
    };
    return accountRow(ref, look, now(), {
      children: () => {
        const passes = (key: Key) => this.#passes(key);
        return keyRows(ref, state(), { most: this.#shownOf(ref), passes }, { token, now: now() });
      },
      isOnItsWay: () => {
        const current = state();
        return current.kind === 'loading' && Date.now() - current.since < loadingAfterMs;
      },
    });
  }

  #apps({ id: projectId, apps }: Project): Node {
    const transient = this.#sources.projects.isTransient(projectId);
    const argument = { projectId };
    const add = { icon: themeIcon('add'), click: { command: commandIds.addApp } };
    return node({
      id: rowId('apps', argument),
      label: t('Apps'),
      description: apps.length > 0 ? '' : t('none yet'),
      icon: themeIcon('layers'),
      context: joined(' ', 'apps', transient ? 'transient' : 'kept'),
      argument,
      children: async () => {
        if (apps.length === 0 && !transient)
          return [messageRow('addApp', argument, { label: t('Add App…'), ...add })];
        const hasSecret = await this.#ownSecretCheck();
        return inBatches(apps, (app) => this.#app(projectId, app, hasSecret));
      },
      state: apps.length > 0 || !transient ? Expanded : None,
    });
  }

  #app(projectId: string, app: App, hasSecret: (scope: SecretScope) => boolean): Node {
    const { projects, appRows, ways, now } = this.#sources;
    const argument = { projectId, appId: app.id, appName: appName(app) };
    const transient = projects.transient(projectId);
    const hasOwnSecret = hasSecret(argument);
    const secretText = hasOwnSecret
      ? t('It has a webhook secret of its own.')
      : hasSecret({ projectId })
        ? t('It uses the webhook secret of its project.')
        : t('It uses the default webhook secret.');
    const rows = appRows.of(argument);
    const newest = appRows.newest?.(argument);
    const age = newest?.at !== undefined && ageText(Math.max(0, now() - newest.at));
    const outcome = newest && joined(' · ', plainText(newest.text, 150), age);
    return node({
      id: rowId('app', argument),
      label: plainText(argument.appName),
      description: outcome,
      context: joined(
        ' ',
        'app',
        transient ? 'transient' : 'kept',
        ways.usual(argument),
        newest && 'ran',
        hasOwnSecret && 'secret',
      ),
      icon: newest?.isBad === true ? themeIcon(newest.icon, newest.color) : themeIcon('package'),
      tooltip: joined(
        '\n',
        t('App {0}', plainText(app.id)),
        outcome && t('Last run: {0}', outcome),
        transient?.appNotes?.get(app.id),
        secretText,
      ),
      argument,
      children: () => appRows.of(argument),
      state: rows.length > 0 ? Collapsed : None,
    });
  }

  /** Returns a check for an own webhook secret of a project or app; always false if the secrets cannot be read. */
  async #ownSecretCheck(): Promise<(scope: SecretScope) => boolean> {
    const { secrets, log } = this.#sources;
    const idOf = ({ projectId, appName }: SecretScope) => JSON.stringify([projectId, appName]);
    try {
      const ownIds = new Set((await (await secrets.store()).ownScopes()).map(idOf));
      return (scope) => ownIds.has(idOf(scope));
    } catch (error) {
      log.error(String(error));
      return () => false;
    }
  }
}

function accountId({ projectId, serviceAccountId }: AccountRef): string {
  return rowId('account', { projectId, serviceAccountId });
}

/** Says that a list is not read, or not whole. A click opens the settings that have it. */
function leftOutRow({ place, count }: LeftOut<SharedPlace>, at: number): Node {
  const [where, command] = leftOutPlace(place);
  const settings = { query: `@id:runhook.${settingIds.projects}` };
  const [label, why] = leftOutTexts(count);
  return messageRow(
    'leftOut',
    { list: at },
    {
      label,
      description: `${why} · ${where}`,
      icon: themeIcon('warning', warning),
      click: { command, arguments: [settings] },
    },
  );
}

function leftOutTexts(count: number | 'all'): [label: string, why: string] {
  if (count === 'all')
    return [t('Projects: not a list'), t('"runhook.projects" must be a list, in square brackets')];
  const { projects, serviceAccounts, apps } = mostShared;
  const why = t(
    'not valid, such as without an id, or beyond the first {0} projects, {1} service accounts and {2} apps',
    projects,
    serviceAccounts,
    apps,
  );
  return [count === 1 ? t('1 entry left out') : t('{0} entries left out', count), why];
}

/** What a place of settings is called, and the editor's command that opens them: that of a folder asks which. */
function leftOutPlace(place: SharedPlace | 'user'): [where: string, command: string] {
  if (place === 'user') return [t('user'), 'workbench.action.openGlobalSettings'];
  if (place === 'workspace') return [t('workspace'), 'workbench.action.openWorkspaceSettings'];
  return [place.name, 'workbench.action.openFolderSettings'];
}
