import * as vscode from 'vscode';
import { originsInClear } from '../../../model/keys/clearText.ts';
import { inBatches } from '../../../model/async/inBatches.ts';
import { mostShared } from '../../../model/projects/listedProjects.ts';
import { type AccountRef, type App, appName, type Project } from '../../../model/projects/project.ts';
import type { SecretScope } from '../../../model/secrets/webhookSecret.ts';
import { t } from '../../../model/text/l10n.ts';
import { plainText } from '../../../model/text/plainText.ts';
import { commandIds, serviceSettings, settingIds } from '../../ids.ts';
import type { Log } from '../../log.ts';
import type { KeyLists } from '../keys/keyLists.ts';
import type { Projects } from '../projects.ts';
import type { ProjectSecrets } from '../projectSecrets.ts';
import { inClearText } from '../tokens/clearTextWatch.ts';
import type { Tokens } from '../tokens/tokens.ts';
import {
  AccountChildren,
  type AccountLook,
  type ShownKeys,
  accountItem,
  withoutToken,
} from './accountChildren.ts';
import type { AppChild, AppChildren, ViewLines } from './appChildren.ts';
import { messageNode } from './messageNode.ts';
import { type Folder, joined, projectNode, type ProjectNode, themeIcon } from './projectNode.ts';

const { None, Collapsed, Expanded } = vscode.TreeItemCollapsibleState;

/** A list shows as loading only after this time, since the editor waits 200 ms between two changes of a view. */
export const loadingAfterMs = 500;

/** Where the data of the view comes from. */
export interface ProjectSources {
  projects: Projects;
  tokens: Tokens;
  keyLists: KeyLists;
  secrets: ProjectSecrets;
  /** The rows under each app. */
  appChildren: AppChildren;
  /** The rows after the projects. */
  lines: ViewLines;
  log: Log;
  /** Milliseconds since 1970. */
  now: () => number;
}

/** Builds the elements of the Projects view. */
export class ProjectNodes {
  readonly #sources: ProjectSources;
  readonly #shownKeys: (ref: AccountRef) => ShownKeys;

  constructor(sources: ProjectSources, shownKeys: (ref: AccountRef) => ShownKeys) {
    this.#sources = sources;
    this.#shownKeys = shownKeys;
  }

  async roots(): Promise<ProjectNode[]> {
    const { projects, lines } = this.#sources;
    const hasSecret = await this.#ownSecretCheck();
    return [
      ...(await inBatches(projects.all(), (project) =>
        this.#project(project, hasSecret({ projectId: project.id })),
      )),
      ...(projects.leftOut > 0 ? [leftOutNode(projects.leftOut)] : []),
      ...lines.all().map((item) => projectNode('line', {}, item, item.label as string)),
    ];
  }

  #project(project: Project, hasSecret: boolean): Folder {
    const { projects } = this.#sources;
    const { id: projectId, name } = project;
    const transient = projects.transient(projectId);
    const inClear = originsInClear(projects.service(projectId));
    const own = projects.ownService(projectId);
    const host = own === undefined ? '' : plainText(URL.parse(own.baseUrl || own.proxyUrl)?.host ?? '');
    const shownId = name === undefined ? '' : plainText(projectId);
    const item = new vscode.TreeItem(plainText(name ?? projectId), Expanded);
    const label = transient === undefined ? shownId : transient.label;
    item.description = joined(' · ', label, inClear.length > 0 ? t('not encrypted') : '', host);
    item.contextValue = joined(' ', 'project', transient ? 'transient' : 'kept', hasSecret && 'secret');
    item.iconPath = themeIcon(transient === undefined ? 'project' : 'beaker');
    item.tooltip = joined(
      '\n',
      t('Project {0}', plainText(projectId)),
      projects.isShared(projectId) && t('Kept in the settings of this workspace'),
      host !== '' && t('Its service is at {0}.', host),
      inClear.length > 0 && inClearText(inClear),
      hasSecret && t('It has a webhook secret of its own.'),
    );
    const children = () => this.#projectChildren(project, inClear);
    return { ...projectNode('project', { projectId }, item), children };
  }

  /** The rows under a project: warnings about its addresses, its accounts, and the Apps row. */
  async #projectChildren(project: Project, inClear: readonly string[]): Promise<ProjectNode[]> {
    const { projects } = this.#sources;
    const argument = { projectId: project.id };
    const ignored = projects.ignoredAddresses(project.id);
    const nodes: ProjectNode[] = [];
    const settings = { click: 'workbench.action.openSettings', with: serviceSettings };
    if (ignored.length > 0) {
      const look = { icon: 'shield', color: 'list.warningForeground', ...settings };
      const description = t(
        '{0}: a project has its addresses from your user settings alone.',
        ignored.join(', '),
      );
      const label = t('Address of the workspace ignored');
      nodes.push(messageNode('addressIgnored', argument, { label, description, ...look }));
    }
    if (inClear.length > 0) {
      const look = { icon: 'unlock', color: 'list.warningForeground', ...settings };
      const label = t('Not encrypted: use https');
      nodes.push(messageNode('inClear', argument, { label, description: inClearText(inClear), ...look }));
    }
    const accounts = await this.#accounts(project);
    if (accounts.length === 0) {
      const look = { icon: 'add', click: commandIds.addServiceAccount };
      nodes.push(messageNode('addAccount', argument, { label: t('Add a service account'), ...look }));
    }
    return [...nodes, ...accounts, this.#apps(project)];
  }

  async #accounts({ id: projectId, serviceAccounts }: Project): Promise<Folder[]> {
    const { projects, tokens } = this.#sources;
    const active = projects.activeAccount(projectId)?.id;
    const transient = projects.isTransient(projectId);
    const looks = await inBatches(serviceAccounts, async (account) => ({
      account,
      token: await tokens.state(projects.tokenOwner(projectId, account.id)),
    }));
    return inBatches(looks, ({ account, token }) => {
      const ref = { projectId, serviceAccountId: account.id };
      return this.#account(ref, { account, token, active: account.id === active, transient });
    });
  }

  #account(ref: AccountRef, look: AccountLook): Folder {
    const { keyLists, now } = this.#sources;
    const { token } = look;
    const node = projectNode('account', ref, accountItem(look, now()));
    if (token.kind !== 'stored') {
      const nodes = [withoutToken(ref, token.kind === 'missing')];
      return { ...node, children: () => Promise.resolve(nodes), isOnItsWay: () => false };
    }
    const state = () => {
      // onDidChange reports the result, including a failure.
      if (keyLists.state(ref).kind === 'unknown') keyLists.load(ref).catch(() => undefined);
      return keyLists.state(ref);
    };
    return {
      ...node,
      children: () => Promise.resolve(new AccountChildren(ref, this.#shownKeys(ref), now()).of(state())),
      isOnItsWay: () => {
        const current = state();
        return current.kind === 'loading' && Date.now() - current.since < loadingAfterMs;
      },
    };
  }

  #apps({ id: projectId, apps }: Project): Folder {
    const transient = this.#sources.projects.isTransient(projectId);
    const item = new vscode.TreeItem(t('Apps'), apps.length > 0 || !transient ? Expanded : None);
    item.iconPath = themeIcon('layers');
    item.contextValue = joined(' ', 'apps', transient ? 'transient' : 'kept');
    item.description = apps.length > 0 ? '' : t('none yet');
    const argument = { projectId };
    const add = { label: t('Add an app'), icon: 'add', click: commandIds.addApp };
    const children = async () => {
      if (apps.length === 0 && !transient) return [messageNode('addApp', argument, add)];
      const hasSecret = await this.#ownSecretCheck();
      return inBatches(apps, (app) => this.#app(projectId, app, hasSecret));
    };
    return { ...projectNode('apps', argument, item), children };
  }

  #app(projectId: string, app: App, hasSecret: (scope: SecretScope) => boolean): Folder {
    const { projects, appChildren } = this.#sources;
    const argument = { projectId, appId: app.id, appName: appName(app) };
    const transient = projects.transient(projectId);
    const hasOwnSecret = hasSecret(argument);
    const rows = appChildren.of(argument);
    const hasRun = rows.some(({ item }) => /^run/.test(item.contextValue ?? ''));
    const item = new vscode.TreeItem(plainText(argument.appName), rows.length > 0 ? Collapsed : None);
    if (argument.appName !== app.id) item.description = plainText(app.id);
    item.contextValue = joined(
      ' ',
      'app',
      transient ? 'transient' : 'kept',
      hasRun && 'ran',
      hasOwnSecret && 'secret',
    );
    item.iconPath = themeIcon('package');
    item.tooltip = joined(
      '\n',
      t('App {0}', plainText(app.id)),
      transient?.appNotes?.get(app.id),
      hasOwnSecret && t('It has a webhook secret of its own.'),
    );
    const children = () => Promise.resolve(appChildren.of(argument).map(appChildNode));
    return { ...projectNode('app', argument, item), children };
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

/** Says that the workspace lists more than is read. */
function leftOutNode(leftOut: number): ProjectNode {
  const { projects, serviceAccounts, apps } = mostShared;
  return messageNode(
    'leftOut',
    {},
    {
      label: t('The workspace lists too much: {0} entries are left out', leftOut),
      description: t(
        'the first {0} projects, {1} service accounts and {2} apps of its settings are read',
        projects,
        serviceAccounts,
        apps,
      ),
      icon: 'warning',
      color: 'list.warningForeground',
      click: 'workbench.action.openSettings',
      with: `@id:runhook.${settingIds.projects}`,
    },
  );
}

function appChildNode({ argument, item, children }: AppChild): ProjectNode | Folder {
  const node = projectNode('appChild', argument, item);
  return children ? { ...node, children: () => Promise.resolve(children().map(appChildNode)) } : node;
}
