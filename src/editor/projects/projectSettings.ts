import * as vscode from 'vscode';
import type { Service } from '../../model/service/endpoints.ts';
import { mergedProjects } from '../../model/projects/mergedProjects.ts';
import { type Project, readProjects } from '../../model/projects/project.ts';
import { UserError } from '../../model/text/userError.ts';
import { config, writeSetting } from '../config.ts';
import { type EntryRef, hasEntry } from '../../model/projects/projectList.ts';
import { Turns } from '../../model/async/turns.ts';
import { settingIds } from '../ids.ts';
import { keepProduction } from '../../model/projects/environment.ts';
import { ownService } from '../../model/projects/projectService.ts';
import { t } from '../../model/text/l10n.ts';

/** Where a project is kept: in the user settings, or in those of the workspace or of a folder, which others may share. */
export type ProjectPlace = 'user' | 'workspace' | vscode.WorkspaceFolder;

/**
 * The setting `runhook.projects`, which people also write by hand: the lists of the workspace and its folders, and the
 * user's. A project is changed where it is kept. One change waits for the one before.
 */
export class ProjectSettings {
  readonly #turns = new Turns();

  /**
   * The workspace's projects, and those of the user's that it does not name. An account that the user calls production
   * stays that.
   */
  all(): Project[] {
    const own = readProjects(config.projectLists().ofUser);
    const named = sharedLists().flatMap(({ list }) => readProjects(list));
    // guard: an account that you call `prod`
    const shared = keepProduction(mergedProjects(named), [...own, ...named]);
    return [...shared, ...own.filter(({ id }) => !shared.some((one) => one.id === id))];
  }

  /** Whether the workspace has a list of its own. */
  get areShared(): boolean {
    return sharedLists().some(({ list }) => list !== undefined);
  }

  /** Where an entry is kept; of a project that several lists name, the first of them. */
  placeOf(ref: EntryRef): ProjectPlace {
    const held = sharedLists().flatMap(({ place, list }) =>
      readProjects(list)
        .filter(({ id }) => id === ref.projectId)
        .map((project) => ({ place, project })),
    );
    const first = held.find(({ project }) => hasEntry(project, ref)) ?? held[0];
    return first?.place ?? 'user';
  }

  /** The addresses of a project: those that the user gives it, else those of all. A workspace gives none. */
  service(projectId: string): Service {
    return this.ownService(projectId) ?? config.defaultService();
  }

  ownService(projectId: string): Service | undefined {
    // guard: of a project count from your user settings alone
    return ownService(config.projectLists().ofUser, projectId);
  }

  /** The addresses that the workspace names for a project, and that are not its own: they do not count. */
  ignoredAddresses(projectId: string): string[] {
    const { baseUrl, proxyUrl } = this.service(projectId);
    const named = sharedLists().flatMap(({ list }) => ownService(list, projectId) ?? []);
    const known = new Set(['', baseUrl, proxyUrl]);
    const addresses = named.flatMap((service) => [service.baseUrl, service.proxyUrl]);
    return [...new Set(addresses)].filter((one) => !known.has(one));
  }

  /** Changes the list of one place. */
  async change(place: ProjectPlace, edit: (list: readonly unknown[]) => unknown[]): Promise<void> {
    await this.#turns.next(async () => {
      const { ofUser } = config.projectLists();
      const before =
        (place === 'user' ? ofUser : sharedLists().find((one) => isSame(one.place, place))?.list) ?? [];
      if (!Array.isArray(before)) {
        throw new UserError(
          t('The setting "runhook.projects" is not a list. Correct it in the settings, then try again.'),
          { remedies: [{ kind: 'openSettings', ids: [settingIds.projects] }] },
        );
      }
      const { Workspace, Global, WorkspaceFolder } = vscode.ConfigurationTarget;
      if (typeof place === 'object') {
        await writeSetting(settingIds.projects, edit(before), WorkspaceFolder, place);
      } else {
        await writeSetting(settingIds.projects, edit(before), place === 'workspace' ? Workspace : Global);
      }
    });
  }
}

/** The lists that others may share, as they are written: the workspace's first. */
function sharedLists(): { place: Exclude<ProjectPlace, 'user'>; list: unknown }[] {
  const { workspace, folders } = config.projectLists();
  return [
    { place: 'workspace', list: workspace },
    ...folders.map(({ folder, list }) => ({ place: folder, list })),
  ];
}

function isSame(one: ProjectPlace, other: ProjectPlace): boolean {
  if (typeof one === 'string' || typeof other === 'string') return one === other;
  return one.uri.toString() === other.uri.toString();
}
