import { isDeepStrictEqual } from 'node:util';
import * as vscode from 'vscode';
import type { FormApp } from '../../pages/form/formProtocol.ts';
import { appName, type Project } from '../../service/projects/project.ts';
import { unheardOfApp } from '../../service/projects/projectErrors.ts';
import type { AppSettings } from '../../service/settings/appSettings.ts';
import {
  parseSettingsFile,
  type SettingsFile,
  settingsFileText,
} from '../../service/settings/settingsFile.ts';
import { warningTexts } from '../../service/settings/settingsText.ts';
import { t } from '../../shared/text/l10n.ts';
import { plainText } from '../../shared/text/plainText.ts';
import { textOfFile } from '../../shared/text/textOfFile.ts';
import { mendedBy, UserError } from '../../shared/text/userError.ts';
import { suffixes } from '../kit/ids.ts';
import { type Choice, DeclinedError, type Prompts } from '../kit/prompts.ts';
import { exactText, givenFile, openFile } from '../kit/files.ts';
import type { Projects } from '../projects/feature.ts';
import type { AppliedSettings } from './appliedSettings.ts';

/** The number and the size, in bytes, of files of the workspace that are offered at most. */
const maxFiles = 50;
const maxBytes = 64 * 1024;

/** Settings under a name, to be put into a form. */
export interface NamedSettings {
  name: string;
  settings: AppSettings;
}

interface Services {
  projects: Projects;
  prompts: Prompts;
}

/**
 * Reads a file as it stands in the editor, saved or not, and finds the app that it names.
 * @param file its URI or path; the file of the active editor if absent
 * @throws UserError if it is not a valid settings file, or names no known app
 */
export async function readSettingsFile(
  file: string | undefined,
  services: Services,
): Promise<SettingsFile & { target: FormApp }> {
  const uri = file === undefined ? vscode.window.activeTextEditor?.document.uri : await givenFile(file);
  if (!uri?.path.endsWith(suffixes.settings)) {
    throw new UserError(t('Open a file that ends in {0} first.', suffixes.settings), {
      remedies: [{ kind: 'pickFile' }, { kind: 'editAppSettings' }],
    });
  }
  const document = await openFile(uri);
  const read = await parsed(document);
  return { ...read, target: await appOf(read, services) };
}

async function parsed(document: vscode.TextDocument): Promise<SettingsFile> {
  try {
    return parseSettingsFile(await exactText(document));
  } catch (error) {
    const [problem] = vscode.languages.getDiagnostics(document.uri);
    const line = problem?.range.start.line ?? 0;
    throw mendedBy(error, [{ kind: 'openFile', uri: document.uri.toString(), line }]);
  }
}

/** The settings of all settings files of the workspace that can be read and are valid. */
export async function settingsInWorkspace(): Promise<NamedSettings[]> {
  const uris = await vscode.workspace.findFiles(`**/*${suffixes.settings}`, undefined, maxFiles);
  const read = await Promise.all(uris.map((uri) => namedSettings(uri)));
  return read.flatMap((one) => one ?? []).sort((a, b) => a.name.localeCompare(b.name));
}

/** @returns the file; undefined if the user declined */
export async function saveSettings(app: FormApp, settings: AppSettings): Promise<vscode.Uri | undefined> {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  const name = `${app.appId.replaceAll(/[^\w.-]/g, '-')}${suffixes.settings}`;
  const uri = await vscode.window.showSaveDialog({
    title: t('Export Settings to a File'),
    filters: { JSON: ['json'] },
    ...(folder && { defaultUri: vscode.Uri.joinPath(folder, name) }),
  });
  if (uri === undefined) return undefined;
  const text = settingsFileText({ app: app.appId, project: app.projectId, settings });
  await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(text));
  return uri;
}

/** What is said above a file of settings. */
interface SaidOfFile {
  /** When it was applied last as it stands, in milliseconds since 1970: absent where another apply came after it. */
  appliedAt?: number;
  /** What is probably a mistake in it. */
  warnings: readonly string[];
}

/** Without anything where the file is not valid: the editor marks what is wrong with it. */
export function saidOfFile(
  document: vscode.TextDocument,
  {
    projects,
    applied,
  }: { projects: Pick<Projects, 'all'>; applied: Pick<AppliedSettings, 'history' | 'known'> },
): SaidOfFile {
  try {
    const file = parseSettingsFile(document.getText());
    const [app, ...others] = appsOf(file, among(file, projects));
    if (app === undefined || others.length > 0) return { warnings: warningTexts({}, file.settings) };
    const warnings = warningTexts(applied.known(app.value), file.settings);
    const [last] = applied.history(app.value);
    const isApplied = last?.isUnsure !== true && isDeepStrictEqual(last?.sent, file.settings);
    return { ...(isApplied && { appliedAt: last?.at }), warnings };
  } catch {
    return { warnings: [] };
  }
}

/** The projects in which the app of a file may be. */
function among({ project }: SettingsFile, projects: Pick<Projects, 'all'>): readonly Project[] {
  return projects.all().filter((one) => project === undefined || one.id === project);
}

function appsOf({ app }: SettingsFile, projects: readonly Project[]): Choice<FormApp>[] {
  return projects.flatMap((one) =>
    one.apps
      .filter((candidate) => candidate.id === app || appName(candidate) === app)
      .map((candidate) => ({
        label: plainText(one.name ?? one.id),
        description: plainText(appName(candidate)),
        value: { projectId: one.id, appId: candidate.id },
      })),
  );
}

async function appOf(file: SettingsFile, { projects, prompts }: Services): Promise<FormApp> {
  const all = among(file, projects);
  const choices = appsOf(file, all);
  const [first] = choices;
  if (first === undefined) throw unheardOfApp(file.app, all, file.project);
  if (choices.length === 1) return first.value;
  const picked = await prompts.pick(t('Which project is the app in?'), choices);
  if (picked === undefined) throw new DeclinedError(t('Cancelled.'));
  return picked;
}

/** Undefined where the file cannot be used. */
async function namedSettings(uri: vscode.Uri): Promise<NamedSettings | undefined> {
  try {
    const { size } = await vscode.workspace.fs.stat(uri);
    if (size > maxBytes) return undefined;
    const bytes = await vscode.workspace.fs.readFile(uri);
    const { settings } = parseSettingsFile(textOfFile(bytes));
    return { name: plainText(vscode.workspace.asRelativePath(uri)), settings };
  } catch {
    // The editor shows the problem when the file is opened.
    return undefined;
  }
}
