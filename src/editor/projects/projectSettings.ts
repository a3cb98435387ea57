import * as vscode from 'vscode';
import type { Service } from '../../model/service/endpoints.ts';
import { type App, type Project, readProjects, type ServiceAccount } from '../../model/projects/project.ts';
import { t } from '../../model/text/l10n.ts';
import { UserError } from '../../model/text/userError.ts';
import { config, writeSetting } from '../config.ts';
import { settingIds } from '../ids.ts';
import { Turns } from '../turns.ts';
import type * as projectList from '../../model/projects/projectList.ts';
import { keepProduction } from '../../model/projects/environment.ts';
import { ownService } from '../../model/projects/projectService.ts';

/** Makes a list of projects out of the one that is there. */
type Edit = (edits: typeof projectList, list: readonly unknown[]) => unknown[];

/**
 * The setting `runhook.projects`, which people also write by hand. It is changed where it already lives: in
 * the workspace if it is set there, else in the user settings. One change waits for the one before.
 */
export class ProjectSettings {
  readonly #turns = new Turns();

  /** The workspace's own projects, else the user's. An account that the user calls production stays that. */
  all(): Project[] {
    const { ofUser, ofFolder } = lists();
    const projects = readProjects(ofUser);
    // guard: an account that you call `prod`
    return ofFolder === undefined ? projects : keepProduction(readProjects(ofFolder), projects);
  }

  /** The addresses of a project: those that the user gives it, else those of all. A workspace gives none. */
  service(projectId: string): Service {
    return this.ownService(projectId) ?? config.defaultService();
  }

  ownService(projectId: string): Service | undefined {
    // guard: of a project count from your user settings alone
    return ownService(lists().ofUser, projectId);
  }

  /** The addresses that the workspace names for a project, and that are not its own: they do not count. */
  ignoredAddresses(projectId: string): string[] {
    const { baseUrl, proxyUrl } = this.service(projectId);
    const named = ownService(lists().ofFolder, projectId);
    const known = new Set(['', baseUrl, proxyUrl]);
    return [...new Set([named?.baseUrl ?? '', named?.proxyUrl ?? ''])].filter((one) => !known.has(one));
  }

  async add(project: Project): Promise<void> {
    await this.#change((edits, list) => edits.addProject(list, project));
  }

  async remove(projectId: string): Promise<void> {
    await this.#change((edits, list) => edits.removeProject(list, projectId));
  }

  async addServiceAccount(projectId: string, serviceAccount: ServiceAccount): Promise<void> {
    await this.#change((edits, list) => edits.addChild(list, projectId, 'serviceAccounts', serviceAccount));
  }

  async setEnvironment(
    projectId: string,
    serviceAccountId: string,
    environment: string | undefined,
  ): Promise<void> {
    await this.#change((edits, list) => edits.setEnvironment(list, projectId, serviceAccountId, environment));
  }

  async addApp(projectId: string, app: App): Promise<void> {
    await this.#change((edits, list) => edits.addChild(list, projectId, 'apps', app));
  }

  /** Gives a project addresses of its own, in the user settings alone. @param service empty for those of all */
  async setService(project: Project, service: Service): Promise<void> {
    await this.#change((edits, list) => edits.setOwnService(list, project, service), true);
  }

  async #change(edit: Edit, ofUser = false): Promise<void> {
    await this.#turns.next(async () => {
      const edits = await import('../../model/projects/projectList.ts');
      const settings = vscode.workspace.getConfiguration('runhook');
      const found = settings.inspect<unknown>(settingIds.projects);
      const inWorkspace = !ofUser && found?.workspaceValue !== undefined;
      const value = inWorkspace ? found.workspaceValue : (found?.globalValue ?? []);
      if (!Array.isArray(value)) {
        throw new UserError(
          t('The setting "runhook.projects" is not a list. Correct it in the settings, then try again.'),
        );
      }
      const { Workspace, Global } = vscode.ConfigurationTarget;
      await writeSetting(settingIds.projects, edit(edits, value), inWorkspace ? Workspace : Global);
    });
  }
}

/** The setting as the user has it, and as the folder that is open has it. */
function lists(): { ofUser: unknown; ofFolder: unknown } {
  const found = vscode.workspace.getConfiguration('runhook').inspect(settingIds.projects);
  return { ofUser: found?.globalValue, ofFolder: found?.workspaceFolderValue ?? found?.workspaceValue };
}
