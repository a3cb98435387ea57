import * as vscode from 'vscode';
import type { Service } from '../../model/service/endpoints.ts';
import { type Project, readProjects } from '../../model/projects/project.ts';
import { UserError } from '../../model/text/userError.ts';
import { config, writeSetting } from '../config.ts';
import { Turns } from '../../model/async/turns.ts';
import { settingIds } from '../ids.ts';
import { keepProduction } from '../../model/projects/environment.ts';
import { ownService } from '../../model/projects/projectService.ts';
import { t } from '../../model/text/l10n.ts';

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

  /** Changes the list of one place. */
  async change(place: ProjectPlace, edit: (list: readonly unknown[]) => unknown[]): Promise<void> {
    await this.#turns.next(async () => {
      const found = vscode.workspace.getConfiguration('runhook').inspect<unknown>(settingIds.projects);
      const before = (place === 'workspace' ? found?.workspaceValue : found?.globalValue) ?? [];
      if (!Array.isArray(before)) {
        throw new UserError(
          t('The setting "runhook.projects" is not a list. Correct it in the settings, then try again.'),
        );
      }
      const { Workspace, Global } = vscode.ConfigurationTarget;
      await writeSetting(settingIds.projects, edit(before), place === 'workspace' ? Workspace : Global);
    });
  }
}

/** The setting as the user has it, and as the folder that is open has it. */
function lists(): { ofUser: unknown; ofFolder: unknown } {
  const found = vscode.workspace.getConfiguration('runhook').inspect(settingIds.projects);
  return { ofUser: found?.globalValue, ofFolder: found?.workspaceFolderValue ?? found?.workspaceValue };
}
