import * as vscode from 'vscode';
import {
  type App,
  appName,
  type AppRef,
  type Project,
  type ServiceAccount,
} from '../../service/projects/project.ts';
import type { EntryRef } from '../../service/projects/projectList.ts';
import { type Service, serviceUrl } from '../../service/endpoints.ts';
import { t } from '../../shared/text/l10n.ts';
import { sentences } from '../../shared/text/sentences.ts';
import { plainText } from '../../shared/text/plainText.ts';
import { UserError } from '../../shared/text/userError.ts';
import type { CalledFrom, CommandsOf } from '../kit/commands.ts';
import type { Services } from '../kit/services.ts';
import type { Node } from '../kit/tree.ts';
import { viewIds } from '../kit/ids.ts';
import { showBriefly } from '../kit/progress.ts';
import { openApiKeysPage } from './apiKeysPage.ts';
import { type AccountCommandParts, keyCommands, type Reveal, tokenCommands } from './accountCommands.ts';
import type { KeyLists } from './keyLists.ts';
import { addressInput, appNameProblem, NewEntries } from './newEntries.ts';
import { ProjectQuestions } from './projectQuestions.ts';
import type { Projects } from './projects.ts';
import type { ProjectsTree } from './projectsTree.ts';
import { chosenEnvironment, environmentQuestions, givenToken } from './questions.ts';
import type { TerminalToken } from './terminalToken.ts';
import type { TokenCheck } from './tokenCheck.ts';

/** Takes along what other features keep by the name of an app. @param mayAsk whether the user may be asked */
export type RenamedApp = (from: AppRef, to: AppRef, mayAsk: boolean) => Promise<void>;

/** Has the row of a project in sight, and leaves the focus where it is. */
export type ShowProject = (projectId: string) => Promise<void>;

/** All commands about projects, service accounts, tokens and keys. Loaded when the first one runs. */
export function projectCommands(
  services: Services & {
    keyLists: KeyLists;
    check: TokenCheck;
    renamedApp: RenamedApp;
    reveal: Reveal;
    showProject: ShowProject;
    terminals: TerminalToken;
  },
  tree: ProjectsTree,
  view: vscode.TreeView<Node>,
): CommandsOf<'projects'> {
  const { projects, prompts, context, check } = services;
  const questions = new ProjectQuestions(projects, prompts);
  const newEntries = new NewEntries(projects, questions, check);
  const parts: AccountCommandParts = { ...services, questions, newEntries };
  const open = (uri: vscode.Uri) => vscode.env.openExternal(uri);
  return {
    ...addCommands(parts, services.showProject),
    ...changeCommands(parts, services.renamedApp),
    ...tokenCommands(parts),
    ...keyCommands(parts),
    ...viewCommands(tree, questions, view),
    openApiKeysPage: () => openApiKeysPage({ prompts, state: context.workspaceState, open }),
  };
}

/** The commands of the view itself: filter keys, show more keys, copy an id. */
function viewCommands(tree: ProjectsTree, questions: ProjectQuestions, view: vscode.TreeView<Node>) {
  return {
    filterProjects: async (given) => {
      const text =
        given?.text ??
        (await questions.input({
          title: t('Filter Keys'),
          prompt: t('Show keys whose name or id contains this; leave it empty to show all'),
          value: tree.filter,
        }));
      tree.filter = text;
      view.description = tree.filter === '' ? '' : t('filter: {0}', plainText(tree.filter, 30));
    },

    showMoreKeys: (ref) => {
      if (ref !== undefined) tree.showMore(ref);
    },

    copyId: async (ref) => {
      const id = ref?.keyId ?? ref?.appId ?? ref?.serviceAccountId ?? ref?.projectId;
      await vscode.env.clipboard.writeText(id ?? '');
    },
  } satisfies Partial<CommandsOf<'projects'>>;
}

/** The commands that add projects, service accounts and apps. */
function addCommands(parts: AccountCommandParts, showProject: ShowProject) {
  const { projects, questions, newEntries, check } = parts;
  return {
    addProject: async (given) => {
      const { baseUrl = '', proxyUrl = '', id, ...rest } = given ?? { serviceAccounts: [], apps: [] };
      if (id === undefined) {
        const added = await newEntries.project(t('Add Project'));
        // The button that had the focus is gone with the empty view, and what comes next is in the tree.
        await vscode.commands.executeCommand(`${viewIds.projects}.focus`);
        await showProject(added.id);
        return added;
      }
      const project: Project = { ...rest, id };
      const service = await givenService(project, { baseUrl, proxyUrl }, questions);
      await projects.add(project);
      if (service !== undefined) await projects.setService(project.id, service);
      return { ...project, ...service };
    },

    addServiceAccount: async (given) => {
      const title = t('Add Service Account');
      const { projectId: givenProject, id, token: rawToken, ...rest } = given ?? {};
      const token = givenToken(rawToken);
      if (id === undefined) {
        const options = { projectId: givenProject, isNew: true, token };
        const { projectId, account, token: answered, service } = await newEntries.account(title, options);
        if (answered !== '')
          await projects.setToken({ projectId, serviceAccountId: account.id }, answered, service);
        check.tell(answered);
        tellIfShared(projects, projectId);
        return account;
      }
      const { id: projectId } = await questions.project(givenProject, title, { kept: true });
      const account: ServiceAccount = { ...rest, id };
      await projects.addChild(projectId, 'serviceAccounts', account);
      if (token !== undefined) await projects.setToken({ projectId, serviceAccountId: id }, token);
      return account;
    },

    addApp: async (given) => {
      const title = t('Add App');
      const { projectId: givenProject, id, ...rest } = given ?? {};
      const { id: projectId } = await questions.project(givenProject, title, { kept: true });
      projects.refuseTransient(projectId);
      const app: App = id === undefined ? await newEntries.app(title, projectId) : { ...rest, id };
      const refused = appNameProblem(appName(app), projectId, []);
      if (refused !== undefined) throw new UserError(refused);
      await projects.addChild(projectId, 'apps', app);
      if (id === undefined) tellIfShared(projects, projectId);
      return app;
    },
  } satisfies Partial<CommandsOf<'projects'>>;
}

/** The commands that remove and change projects, service accounts and apps. They delete nothing at the service. */
function changeCommands(parts: AccountCommandParts, renamedApp: RenamedApp) {
  const { projects, secrets, keyLists, questions } = parts;
  const confirmRemoval = async (from: CalledFrom, projectId: string, question: string, lost: string) => {
    if (from === 'caller') return;
    const shared = t('It is removed from the workspace settings, for everyone who shares them.');
    const detail = projects.isShared(projectId) ? sentences(lost, shared) : lost;
    await questions.confirm(question, detail, t('Remove'));
  };

  return {
    removeProject: async (given, from) => {
      const title = t('Remove Project');
      const { id, name, serviceAccounts } = await questions.project(given?.projectId, title, { kept: true });
      const question = t('Remove the project {0}?', plainText(name ?? id));
      const lost = t(
        'Its tokens and webhook secrets are deleted from this machine. The service keeps the project.',
      );
      await confirmRemoval(from, id, question, lost);
      await projects.remove({ projectId: id });
      // guard S25: The secrets of a project and its apps are deleted with it.
      await (await secrets.store()).removeProject(id);
      for (const account of serviceAccounts) {
        await keyLists.erase({ projectId: id, serviceAccountId: account.id });
      }
    },

    removeServiceAccount: async (given, from) => {
      const { account, ...ref } = await questions.account(given, t('Remove Service Account'));
      const question = t('Remove the service account {0}?', plainText(account.name ?? account.id));
      const lost = t('Its token is deleted from this machine. The service keeps the account and its keys.');
      await confirmRemoval(from, ref.projectId, question, lost);
      await projects.remove(ref);
      await keyLists.erase(ref);
    },

    removeApp: async (given, from) => {
      const { projectId, appId } = await questions.app(given, t('Remove App'));
      const name = appName(projects.app(projectId, appId));
      const question = t('Remove the app {0}?', plainText(name));
      const lost = t(
        'Its webhook secret is deleted from this machine. Its payloads stay, and the service keeps the app.',
      );
      await confirmRemoval(from, projectId, question, lost);
      await projects.remove({ projectId, appId });
      await (await secrets.store()).remove({ projectId, appName: name });
    },

    rename: async (given, from) => {
      if (given === undefined) return;
      const { projectId, serviceAccountId, appId } = given;
      const currentName = nameOf(projects, given);
      const others = projects.get(projectId).apps.filter(({ id }) => id !== appId);
      const problem = (text: string) =>
        appId === undefined ? undefined : appNameProblem(text.trim() || appId, projectId, others);
      const ask = async () =>
        questions.input({
          title: t('Rename {0}', plainText(currentName ?? serviceAccountId ?? projectId)),
          prompt:
            appId === undefined
              ? t('Name to show; leave it empty to use the id')
              : t('Name of the app in its address; leave it empty to use the id'),
          value: currentName ?? '',
          validate: problem,
        });
      const name = (given.name ?? (await ask())).trim();
      const refused = problem(name);
      if (refused !== undefined) throw new UserError(refused);
      await projects.change(given, { name: name === '' ? undefined : name });
      if (appId === undefined) return;
      const [before, now] = [currentName ?? appId, name || appId].map((one) => ({ projectId, appName: one }));
      if (before === undefined || now === undefined || before.appName === now.appName) return;
      await (await secrets.store()).move(before, now);
      await renamedApp(before, now, from !== 'caller');
    },

    setEnvironment: async (given) => {
      const title = t('Set Environment');
      const { projectId, serviceAccountId, account: changed } = await questions.account(given, title);
      const name = given?.environment ?? (await askForEnvironment(questions, title, changed.environment));
      const environment = name === '' ? undefined : name;
      await projects.change({ projectId, serviceAccountId }, { environment });
    },

    setProjectAddresses: async (given) => {
      const title = t('Set Project Addresses');
      const project = await questions.project(given?.projectId, title, { kept: true });
      const service = await givenService(project, given ?? {}, questions);
      await projects.setService(
        project.id,
        service ?? (await askForService(title, project.id, projects, questions)),
      );
    },
  } satisfies Partial<CommandsOf<'projects'>>;
}

async function askForEnvironment(questions: ProjectQuestions, title: string, current = '') {
  const initial = { environment: current, environmentName: '' };
  return chosenEnvironment(await questions.steps(environmentQuestions(title, current), initial));
}

/** Tells the user if an entry was written to the workspace settings, which others may share. */
function tellIfShared(projects: Projects, projectId: string): void {
  if (projects.isShared(projectId)) showBriefly(t('Kept in the settings of this workspace'));
}

/** The name in the settings; for an app, the name in its address. @throws UserError if there is no such entry */
function nameOf(projects: Projects, { projectId, serviceAccountId, appId }: EntryRef): string | undefined {
  if (appId !== undefined) return appName(projects.app(projectId, appId));
  return serviceAccountId === undefined
    ? projects.get(projectId).name
    : projects.serviceAccount({ projectId, serviceAccountId }).name;
}

/**
 * The addresses that a caller passes for a project, once the user has confirmed them: the caller may be another
 * extension. Undefined if the caller passes none.
 * @throws UserError if an address cannot be used; DeclinedError if the user declines
 */
async function givenService(
  { id, name }: { id: string; name?: string },
  { baseUrl = '', proxyUrl = '' }: Partial<Service>,
  questions: ProjectQuestions,
): Promise<Service | undefined> {
  const urls = [baseUrl, proxyUrl].filter((one) => one !== '').map((one) => serviceUrl(one, ''));
  if (urls.length === 0) return undefined;
  const hosts = [...new Set(urls.map(({ host }) => host))].join(', ');
  // guard S47: The user is asked before a caller gives a project an address.
  await questions.confirm(
    t('Send the calls of the project {0} to {1}?', plainText(name ?? id), plainText(hosts, 300)),
    t(
      'Tokens that you set from now on are sent there. Stored tokens are still sent only to the address they were set for.',
    ),
    t('Set Address'),
  );
  return { baseUrl, proxyUrl };
}

/** @throws DeclinedError */
async function askForService(
  title: string,
  projectId: string,
  projects: Projects,
  questions: ProjectQuestions,
): Promise<Service> {
  const basePrompt = t(
    'Address of the management API for this project; leave it empty to use the common one',
  );
  const proxyPrompt = t(
    'Address of the run proxy for this project; leave it empty if you do not run its apps',
  );
  const { baseUrl, proxyUrl } = await questions.steps<Service>(
    [
      { field: 'baseUrl', ask: () => ({ title, ...optionalAddress, prompt: basePrompt }) },
      {
        field: 'proxyUrl',
        applies: (service) => service.baseUrl !== '',
        ask: () => ({ title, ...optionalAddress, prompt: proxyPrompt }),
      },
    ],
    projects.ownService(projectId) ?? { baseUrl: '', proxyUrl: '' },
  );
  return { baseUrl, proxyUrl: baseUrl === '' ? '' : proxyUrl };
}

const optionalAddress = {
  ...addressInput,
  validate: (text: string) => (text.trim() === '' ? undefined : addressInput.validate(text)),
};
