import * as vscode from 'vscode';
import { type App, type Project, readProjects, type ServiceAccount } from '../../model/project.ts';
import { UserError } from '../../model/userError.ts';
import { writeSetting } from '../config.ts';
import { settingIds } from '../ids.ts';
import { addChild, addProject, removeProject, setEnvironment } from '../../model/projectList.ts';
import { keepProduction } from '../../model/environment.ts';

/**
 * The setting `runhook.projects`, which people also write by hand. It is changed where it already lives: in
 * the workspace if it is set there, else in the user settings. One change waits for the one before.
 */
export class ProjectSettings {
  #last: Promise<unknown> = Promise.resolve();

  /** The workspace's own projects, else the user's. An account that the user calls production stays that. */
  all(): Project[] {
    const found = vscode.workspace.getConfiguration('runhook').inspect(settingIds.projects);
    const ofUser = readProjects(found?.globalValue);
    const ofFolder = found?.workspaceFolderValue ?? found?.workspaceValue;
    return ofFolder === undefined ? ofUser : keepProduction(readProjects(ofFolder), ofUser);
  }

  async add(project: Project): Promise<void> {
    await this.#change((list) => addProject(list, project, vscode.l10n.t));
  }

  async remove(projectId: string): Promise<void> {
    await this.#change((list) => removeProject(list, projectId, vscode.l10n.t));
  }

  async addServiceAccount(projectId: string, serviceAccount: ServiceAccount): Promise<void> {
    await this.#change((list) => addChild(list, projectId, 'serviceAccounts', serviceAccount, vscode.l10n.t));
  }

  async setEnvironment(
    projectId: string,
    serviceAccountId: string,
    environment: string | undefined,
  ): Promise<void> {
    await this.#change((list) =>
      setEnvironment(list, projectId, serviceAccountId, environment, vscode.l10n.t),
    );
  }

  async addApp(projectId: string, app: App): Promise<void> {
    await this.#change((list) => addChild(list, projectId, 'apps', app, vscode.l10n.t));
  }

  async #change(edit: (list: readonly unknown[]) => unknown[]): Promise<void> {
    const change = this.#last.then(async () => {
      const settings = vscode.workspace.getConfiguration('runhook');
      const found = settings.inspect<unknown>(settingIds.projects);
      const inWorkspace = found?.workspaceValue !== undefined;
      const value = inWorkspace ? found.workspaceValue : (found?.globalValue ?? []);
      if (!Array.isArray(value)) {
        throw new UserError(
          vscode.l10n.t(
            'The setting "runhook.projects" is not a list. Correct it in the settings, then try again.',
          ),
        );
      }
      const { Workspace, Global } = vscode.ConfigurationTarget;
      await writeSetting(settingIds.projects, edit(value), inWorkspace ? Workspace : Global);
    });
    // A change that failed must not stop the ones after it.
    this.#last = change.catch(() => undefined);
    await change;
  }
}
