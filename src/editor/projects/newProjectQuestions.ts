import * as vscode from 'vscode';
import { parseHttpUrl } from '../../model/endpoints.ts';
import type { App, Project, ServiceAccount } from '../../model/project.ts';
import { config } from '../config.ts';
import { settingIds } from '../ids.ts';
import type { ProjectQuestions } from './projectQuestions.ts';

const t = vscode.l10n.t;

/** Asks for a new project, and for the addresses of the service where none are set. @throws DeclinedError */
export async function askForProject(questions: ProjectQuestions): Promise<Project> {
  const title = t('Add Project');
  await askForAddress(questions, title, settingIds.baseUrl, t('Address of the management API'));
  await askForAddress(questions, title, settingIds.proxyUrl, t('Address of the run proxy'));
  const id = await questions.id(title, t('Id of the project, as the dashboard of the service shows it'));
  const name = await questions.input({ title, prompt: t('Name to show; empty for the id') });
  return { id, ...(name !== '' && { name }), serviceAccounts: [], apps: [] };
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

/** Asks for a new service account and its environment. @throws DeclinedError */
export async function askForAccount(questions: ProjectQuestions): Promise<ServiceAccount> {
  const title = t('Add Service Account');
  const id = await questions.id(title, t('Id of the service account'));
  const name = await questions.input({ title, prompt: t('Name to show; empty for the id') });
  const environment = await questions.environment(title);
  return { id, ...(name !== '' && { name }), ...(environment !== undefined && { environment }) };
}

/** Asks for a new app. @throws DeclinedError */
export async function askForApp(questions: ProjectQuestions): Promise<App> {
  const title = t('Add App');
  const id = await questions.id(title, t('Id of the app'));
  const name = await questions.input({
    title,
    prompt: t('Name of the app in its address; empty for the id'),
  });
  return { id, ...(name !== '' && { name }) };
}
