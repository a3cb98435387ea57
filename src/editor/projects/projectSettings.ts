import * as vscode from 'vscode';
import type { Service } from '../../model/service/endpoints.ts';
import type { ListedProjects } from '../../model/projects/listedProjects.ts';
import { UserError } from '../../model/text/userError.ts';
import { config, type SharedPlace, writeSetting } from '../config.ts';
import type { EntryRef } from '../../model/projects/projectList.ts';
import { Turns } from '../../model/async/turns.ts';
import { settingIds } from '../ids.ts';
import { t } from '../../model/text/l10n.ts';

/** Where a project is kept: the user settings, or those of the workspace or a folder, which others may share. */
export type ProjectPlace = 'user' | SharedPlace;

/**
 * The setting `runhook.projects`, which people also edit by hand: a list for the workspace, one for each
 * folder and one for the user. A project is changed in the list that holds it. Changes run one at a time.
 */
export class ProjectSettings {
  readonly #turns = new Turns();

  /** The projects that the lists hold. The same object until a setting changes. */
  get listed(): ListedProjects<SharedPlace> {
    return config.listedProjects();
  }

  /** Where an entry is kept. */
  placeOf(ref: EntryRef): ProjectPlace {
    return this.listed.placeOf(ref);
  }

  /** The addresses of a project: its own from the user settings, else the defaults. A workspace cannot set them. */
  service(projectId: string): Service {
    return this.listed.ownService(projectId) ?? config.defaultService();
  }

  /** Addresses that the workspace or a folder sets for a project and that are not in use: they are ignored. */
  ignoredAddresses(projectId: string): string[] {
    const { baseUrl, proxyUrl } = this.service(projectId);
    const known = new Set(['', baseUrl, proxyUrl]);
    return this.listed.sharedAddresses(projectId).filter((one) => !known.has(one));
  }

  /** Edits the list of one place. */
  async change(place: ProjectPlace, edit: (list: readonly unknown[]) => unknown[]): Promise<void> {
    await this.#turns.next(async () => {
      const { ofUser, shared } = config.projectLists();
      const current =
        (place === 'user' ? ofUser : shared.find((one) => isSamePlace(one.place, place))?.list) ?? [];
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

function isSamePlace(one: ProjectPlace, other: ProjectPlace): boolean {
  if (typeof one === 'string' || typeof other === 'string') return one === other;
  return one.uri.toString() === other.uri.toString();
}
