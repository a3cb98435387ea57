import * as v from 'valibot';
import * as vscode from 'vscode';
import { parseHttpUrl } from '../../model/endpoints.ts';
import {
  type App,
  appSchema,
  type Project,
  projectSchema,
  type ServiceAccount,
  serviceAccountSchema,
} from '../../model/project.ts';
import type { Commands } from '../commands.ts';
import { config } from '../config.ts';
import { commandIds, settingIds } from '../ids.ts';
import type { ProjectQuestions } from './projectQuestions.ts';
import type { Projects } from './projects.ts';
import type { TokenQuestions } from './tokenQuestions.ts';

const t = vscode.l10n.t;
const optionalId = v.optional(v.pipe(v.string(), v.trim(), v.nonEmpty()));

/** The commands that add and remove projects, service accounts and apps. */
export function registerProjectCommands(
  commands: Commands,
  projects: Projects,
  questions: ProjectQuestions,
  tokenQuestions: TokenQuestions,
): void {
  commands.register(
    commandIds.addProject,
    v.object({ ...projectSchema.entries, id: optionalId }),
    async (given) => {
      const project: Project =
        given?.id === undefined
          ? { ...(await askForProject(questions)), serviceAccounts: [], apps: [] }
          : { ...given, id: given.id };
      await projects.add(project);
      return project;
    },
  );

  commands.register(commandIds.removeProject, v.object({ projectId: optionalId }), async (given, from) => {
    const { id, name } = await questions.project(given?.projectId, t('Remove Project'));
    if (from !== 'caller') {
      await questions.confirm(
        t('Remove the project {0}?', name ?? id),
        t('Its tokens are deleted from this machine. The service keeps the project.'),
        t('Remove'),
      );
    }
    await projects.remove(id);
  });

  commands.register(
    commandIds.addServiceAccount,
    v.object({
      ...serviceAccountSchema.entries,
      id: optionalId,
      projectId: optionalId,
      token: v.exactOptional(v.string()),
    }),
    async (given) => {
      const title = t('Add Service Account');
      const { id: projectId } = await questions.project(given?.projectId, title);
      const token = given?.token === undefined ? undefined : tokenQuestions.clean(given.token);
      const account: ServiceAccount =
        given?.id === undefined
          ? await askForAccount(questions)
          : {
              id: given.id,
              ...(given.name !== undefined && { name: given.name }),
              ...(given.environment !== undefined && { environment: given.environment }),
            };
      await projects.addServiceAccount(projectId, account);
      if (token !== undefined) await projects.setToken(projectId, account.id, token);
      else if (given?.id === undefined) await tokenQuestions.offer({ projectId, account });
      return account;
    },
  );

  commands.register(
    commandIds.addApp,
    v.object({ ...appSchema.entries, id: optionalId, projectId: optionalId }),
    async (given) => {
      const { id: projectId } = await questions.project(given?.projectId, t('Add App'));
      const app: App =
        given?.id === undefined
          ? await askForApp(questions)
          : { id: given.id, ...(given.name !== undefined && { name: given.name }) };
      await projects.addApp(projectId, app);
      return app;
    },
  );
}

async function askForProject(questions: ProjectQuestions): Promise<Pick<Project, 'id' | 'name'>> {
  const title = t('Add Project');
  await askForAddress(questions, title, settingIds.baseUrl, t('Address of the management API'));
  await askForAddress(questions, title, settingIds.proxyUrl, t('Address of the run proxy'));
  const id = await questions.id(title, t('Id of the project, as the dashboard of the service shows it'));
  const name = await questions.input({ title, prompt: t('Name to show; empty for the id') });
  return { id, ...(name !== '' && { name }) };
}

/** The first project needs to know where the service is; later ones find it in the settings. */
async function askForAddress(
  questions: ProjectQuestions,
  title: string,
  setting: 'baseUrl' | 'proxyUrl',
  prompt: string,
): Promise<void> {
  if (config.service()[setting] !== '') return;
  const address = await questions.input({ title, prompt, placeHolder: 'https://', validate: addressProblem });
  await vscode.workspace
    .getConfiguration('runhook')
    .update(setting, address, vscode.ConfigurationTarget.Global);
}

function addressProblem(text: string): string | undefined {
  try {
    parseHttpUrl(text.trim());
    return undefined;
  } catch {
    return t('Enter an address that begins with https:// or http://.');
  }
}

async function askForAccount(questions: ProjectQuestions): Promise<ServiceAccount> {
  const title = t('Add Service Account');
  const id = await questions.id(title, t('Id of the service account'));
  const name = await questions.input({ title, prompt: t('Name to show; empty for the id') });
  const environment = await questions.environment(title);
  return { id, ...(name !== '' && { name }), ...(environment !== undefined && { environment }) };
}

async function askForApp(questions: ProjectQuestions): Promise<App> {
  const title = t('Add App');
  const id = await questions.id(title, t('Id of the app'));
  const name = await questions.input({
    title,
    prompt: t('Name of the app in its address; empty for the id'),
  });
  return { id, ...(name !== '' && { name }) };
}
