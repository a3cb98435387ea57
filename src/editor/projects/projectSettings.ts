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

/** Where a project is kept: the user settings, or those of the workspace or a folder, which others may share. */
export type ProjectPlace = 'user' | 'workspace' | vscode.WorkspaceFolder;

/**
 * The setting `runhook.projects`, which people also edit by hand: a list for the workspace, one for each
 * folder and one for the user. A project is changed in the list that holds it. Changes run one at a time.
 */
export class ProjectSettings {
  readonly #turns = new Turns();

  /**
   * The workspace's projects, then the user's projects that the workspace does not list. An account that any list
   * marks as production stays production.
   */
  all(): Project[] {
    const lists = config.projectLists();
    const ofUser = readProjects(lists.ofUser);
    const ofWorkspace = sharedLists(lists).flatMap(({ list }) => readProjects(list));
    const shared = mergedProjects(ofWorkspace);
    const own = mergedProjects(ofUser).filter(({ id }) => !shared.some((one) => one.id === id));
    // guard: an account that you call `prod`
    return keepProduction([...shared, ...own], [...ofUser, ...ofWorkspace]);
  }

  /** Whether the workspace or one of its folders has its own list. */
  get areShared(): boolean {
    return sharedLists().some(({ list }) => list !== undefined);
  }

  /** Where an entry is kept. If several lists have its project: the first list with the entry, else the first. */
  placeOf(ref: EntryRef): ProjectPlace {
    const candidates = sharedLists().flatMap(({ place, list }) =>
      readProjects(list)
        .filter(({ id }) => id === ref.projectId)
        .map((project) => ({ place, project })),
    );
    const first = candidates.find(({ project }) => hasEntry(project, ref)) ?? candidates[0];
    return first?.place ?? 'user';
  }

  /** The addresses of a project: its own from the user settings, else the defaults. A workspace cannot set them. */
  service(projectId: string): Service {
    return this.ownService(projectId) ?? config.defaultService();
  }

  ownService(projectId: string): Service | undefined {
    // guard: of a project count from your user settings alone
    return ownService(config.projectLists().ofUser, projectId);
  }

  /** Addresses that the workspace or a folder sets for a project and that are not in use: they are ignored. */
  ignoredAddresses(projectId: string): string[] {
    const { baseUrl, proxyUrl } = this.service(projectId);
    const named = sharedLists().flatMap(({ list }) => ownService(list, projectId) ?? []);
    const known = new Set(['', baseUrl, proxyUrl]);
    const addresses = named.flatMap((service) => [service.baseUrl, service.proxyUrl]);
    return [...new Set(addresses)].filter((one) => !known.has(one));
  }

  /** Edits the list of one place. */
  async change(place: ProjectPlace, edit: (list: readonly unknown[]) => unknown[]): Promise<void> {
    await this.#turns.next(async () => {
      const lists = config.projectLists();
      const current =
        (place === 'user'
          ? lists.ofUser
          : sharedLists(lists).find((one) => isSamePlace(one.place, place))?.list) ?? [];
      if (!Array.isArray(current)) {
        throw new UserError(
          t('The setting "runhook.projects" is not a list. Correct it in the settings, then try again.'),
          { remedies: [{ kind: 'openSettings', ids: [settingIds.projects] }] },
        );
      }
      const { Workspace, Global, WorkspaceFolder } = vscode.ConfigurationTarget;
      if (typeof place === 'object') {
        await writeSetting(settingIds.projects, edit(current), WorkspaceFolder, place);
      } else {
        await writeSetting(settingIds.projects, edit(current), place === 'workspace' ? Workspace : Global);
      }
    });
  }
}

/** The unparsed lists of the workspace and then its folders, which others may share. */
function sharedLists({ workspace, folders } = config.projectLists()): {
  place: Exclude<ProjectPlace, 'user'>;
  list: unknown;
}[] {
  return [
    { place: 'workspace', list: workspace },
    ...folders.map(({ folder, list }) => ({ place: folder, list })),
  ];
}

function isSamePlace(one: ProjectPlace, other: ProjectPlace): boolean {
  if (typeof one === 'string' || typeof other === 'string') return one === other;
  return one.uri.toString() === other.uri.toString();
}
