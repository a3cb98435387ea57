import * as vscode from 'vscode';
import type { FormApp } from '../../model/settings/formProtocol.ts';
import { appName } from '../../model/projects/project.ts';
import type { NamedSettings } from '../../model/settings/preset.ts';
import { parseSettingsFile, type SettingsFile, settingsFileText } from '../../model/settings/settingsFile.ts';
import { t } from '../../model/text/l10n.ts';
import { plainText } from '../../model/text/plainText.ts';
import { UserError } from '../../model/text/userError.ts';
import { suffixes } from '../ids.ts';
import { DeclinedError } from '../prompts/declinedError.ts';
import { givenFile, openFile } from '../prompts/givenFile.ts';
import type { Projects } from '../projects/feature.ts';
import type { Prompts } from '../prompts/prompts.ts';

/** So many files of the workspace are offered, and none that is larger. */
const mostFiles = 50;
const mostBytes = 64 * 1024;

/** Settings as files, `*.runhook.json`: read and written. */
export class SettingsFiles {
  readonly #projects: Projects;
  readonly #prompts: Prompts;

  constructor(projects: Projects, prompts: Prompts) {
    this.#projects = projects;
    this.#prompts = prompts;
  }

  /**
   * Reads a file as it stands in the editor, saved or not, and finds the app that it names.
   * @param file its address or path; the active editor's where absent
   * @throws UserError where it does not fit, or names no app
   */
  async read(file: string | undefined): Promise<SettingsFile & { target: FormApp }> {
    const uri = file === undefined ? vscode.window.activeTextEditor?.document.uri : await givenFile(file);
    if (!uri?.path.endsWith(suffixes.settings)) {
      throw new UserError(t('Open a file that ends in {0} first.', suffixes.settings));
    }
    const document = await openFile(uri);
    const read = parseSettingsFile(document.getText());
    return { ...read, target: await this.#appOf(read) };
  }

  /** The files of the workspace that can be read and fit. */
  async inWorkspace(): Promise<NamedSettings[]> {
    const uris = await vscode.workspace.findFiles(`**/*${suffixes.settings}`, undefined, mostFiles);
    const read = await Promise.all(uris.map((uri) => namedSettings(uri)));
    return read.flatMap((one) => one ?? []).sort((a, b) => a.name.localeCompare(b.name));
  }

  /** @returns the file; undefined where the user declined */
  async save(app: FormApp, settings: SettingsFile['settings']): Promise<vscode.Uri | undefined> {
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

  async #appOf({ app, project }: SettingsFile): Promise<FormApp> {
    const fitting = this.#projects
      .all()
      .filter((one) => project === undefined || one.id === project)
      .flatMap((one) =>
        one.apps
          .filter((candidate) => candidate.id === app || appName(candidate) === app)
          .map((candidate) => ({ project: one, app: candidate })),
      );
    const [first] = fitting;
    if (first === undefined) throw new UserError(t('No project has an app "{0}".', plainText(app)));
    const picked =
      fitting.length === 1
        ? first
        : await this.#prompts.pick(
            t('The app of which project?'),
            fitting.map((one) => ({
              label: plainText(one.project.name ?? one.project.id),
              description: plainText(appName(one.app)),
              value: one,
            })),
          );
    if (picked === undefined) throw new DeclinedError(t('Cancelled.'));
    return { projectId: picked.project.id, appId: picked.app.id };
  }
}

/** Undefined where the file cannot be used. */
async function namedSettings(uri: vscode.Uri): Promise<NamedSettings | undefined> {
  try {
    const { size } = await vscode.workspace.fs.stat(uri);
    if (size > mostBytes) return undefined;
    const bytes = await vscode.workspace.fs.readFile(uri);
    const { settings } = parseSettingsFile(new TextDecoder().decode(bytes));
    return { name: plainText(vscode.workspace.asRelativePath(uri)), settings };
  } catch {
    // Its own editor says what is wrong with it.
    return undefined;
  }
}
