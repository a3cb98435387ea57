import * as vscode from 'vscode';
import type { Service } from '../../model/service/endpoints.ts';
import { type App, type Project, readProjects, type ServiceAccount } from '../../model/projects/project.ts';
import { UserError } from '../../model/text/userError.ts';
import { config, writeSetting } from '../config.ts';
import { Turns } from '../../model/async/turns.ts';
import { settingIds } from '../ids.ts';
import type * as projectList from '../../model/projects/projectList.ts';
import { keepProduction } from '../../model/projects/environment.ts';
import { ownService } from '../../model/projects/projectService.ts';
import { t } from '../../model/text/l10n.ts';

/** Makes a list of projects out of the one that is there. */
type Edit = (edits: typeof projectList, list: readonly unknown[]) => unknown[];

/** Where a project is kept: in the user settings, or in those of the workspace, which others may share. */
export type ProjectPlace = 'user' | 'workspace';

/**
 * The setting `runhook.projects`, which people also write by hand: the workspace's list and the user's. A project is
 * changed where it is kept. One change waits for the one before.
 */
export class ProjectSettings {
  readonly #turns = new Turns();

  /**
   * The workspace's projects, and those of the user's that it does not name. An account that the user calls production
   * stays that.
   */
  all(): Project[] {
    const { ofUser, ofFolder } = lists();
    const own = readProjects(ofUser);
    // guard: an account that you call `prod`
    const shared = keepProduction(readProjects(ofFolder), own);
    return [...shared, ...own.filter(({ id }) => !shared.some((one) => one.id === id))];
  }

  /** Whether the workspace has a list of its own. */
  get areShared(): boolean {
    return lists().ofFolder !== undefined;
  }

  placeOf(projectId: string): ProjectPlace {
    return readProjects(lists().ofFolder).some(({ id }) => id === projectId) ? 'workspace' : 'user';
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

  /** @param place where the workspace has a list it is there, unless this says otherwise */
  async add(project: Project, place: ProjectPlace = this.areShared ? 'workspace' : 'user'): Promise<void> {
    await this.#change(place, (edits, list) => edits.addProject(list, project));
  }

  async addChild(
    projectId: string,
    ...[field, child]: ['serviceAccounts', ServiceAccount] | ['apps', App]
  ): Promise<void> {
    await this.#change(this.placeOf(projectId), (edits, list) =>
      edits.addChild(list, projectId, field, child),
    );
  }

  /** Removes a project, a service account or an app; a project from both lists, so that none is left of it. */
  async remove(ref: projectList.EntryRef): Promise<void> {
    const place = this.placeOf(ref.projectId);
    await this.#change(place, (edits, list) => edits.removeEntry(list, ref));
    const isProject = ref.serviceAccountId === undefined && ref.appId === undefined;
    if (place === 'user' || !isProject) return;
    await this.#change('user', (edits, list) =>
      edits.hasProject(list, ref.projectId) ? edits.removeEntry(list, ref) : [...list],
    );
  }

  /** Gives a project, a service account or an app other values; undefined takes one away. */
  async change(ref: projectList.EntryRef, values: projectList.EntryValues): Promise<void> {
    await this.#change(this.placeOf(ref.projectId), (edits, list) => edits.changeEntry(list, ref, values));
  }

  /** Gives a project addresses of its own, in the user settings alone. @param service empty for those of all */
  async setService(project: Project, service: Service): Promise<void> {
    await this.#change('user', (edits, list) => edits.setOwnService(list, project, service));
  }

  async #change(place: ProjectPlace, edit: Edit): Promise<void> {
    await this.#turns.next(async () => {
      const edits = await import('../../model/projects/projectList.ts');
      const found = vscode.workspace.getConfiguration('runhook').inspect<unknown>(settingIds.projects);
      const before = (place === 'workspace' ? found?.workspaceValue : found?.globalValue) ?? [];
      if (!Array.isArray(before)) {
        throw new UserError(
          t('The setting "runhook.projects" is not a list. Correct it in the settings, then try again.'),
        );
      }
      const after = edit(edits, before);
      const { Workspace, Global } = vscode.ConfigurationTarget;
      await writeSetting(settingIds.projects, after, place === 'workspace' ? Workspace : Global);
    });
  }
}

/** The setting as the user has it, and as the folder that is open has it. */
function lists(): { ofUser: unknown; ofFolder: unknown } {
  const found = vscode.workspace.getConfiguration('runhook').inspect(settingIds.projects);
  return { ofUser: found?.globalValue, ofFolder: found?.workspaceFolderValue ?? found?.workspaceValue };
}
