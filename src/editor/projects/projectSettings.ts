import * as vscode from 'vscode';
import { Turns } from '../../shared/async/turns.ts';
import { t } from '../../shared/text/l10n.ts';
import { UserError } from '../../shared/text/userError.ts';
import { config, type SharedPlace, writeSetting } from '../kit/config.ts';
import { settingIds } from '../kit/ids.ts';

/** Where a project is kept: the user settings, or those of the workspace or a folder, which others may share. */
export type ProjectPlace = 'user' | SharedPlace;

/** The changes of the lists run one at a time. */
const turns = new Turns();

/**
 * Edits the list of projects of one place: people also edit it by hand.
 * @throws UserError if the setting is not a list
 */
export async function changeProjects(
  place: ProjectPlace,
  edit: (list: readonly unknown[]) => unknown[],
): Promise<void> {
  await turns.next(async () => {
    const { ofUser, shared } = config.projectLists();
    const current =
      (place === 'user' ? ofUser : shared.find((one) => isSamePlace(one.place, place))?.list) ?? [];
    if (!Array.isArray(current)) {
      throw new UserError(t('The setting "runhook.projects" is not a list. Correct it, then try again.'), {
        remedies: [{ kind: 'openSettings', ids: [settingIds.projects] }],
      });
    }
    const { Workspace, Global, WorkspaceFolder } = vscode.ConfigurationTarget;
    if (typeof place === 'object') {
      await writeSetting(settingIds.projects, edit(current), WorkspaceFolder, place);
    } else {
      await writeSetting(settingIds.projects, edit(current), place === 'workspace' ? Workspace : Global);
    }
  });
}

function isSamePlace(one: ProjectPlace, other: ProjectPlace): boolean {
  if (typeof one === 'string' || typeof other === 'string') return one === other;
  return one.uri.toString() === other.uri.toString();
}
