import type * as vscode from 'vscode';
import { commandIds } from '../../contract/commands.ts';
import { t } from '../../shared/text/l10n.ts';
import { clicked } from '../kit/commands.ts';
import { momentText } from '../kit/localeFormat.ts';
import type { Services } from '../kit/services.ts';
import { topLens } from '../kit/topLens.ts';
import type { AppliedSettings } from './appliedSettings.ts';
import { saidOfFile } from './settingsFiles.ts';

/**
 * The links at the top of a file of settings, `*.runhook.json`, when it was applied, and what is probably a mistake in it.
 * @param changed called when they may have changed
 */
export function settingsLenses(
  services: Services & { applied: AppliedSettings },
  changed: () => void,
): vscode.CodeLensProvider {
  services.context.subscriptions.push(services.applied.onDidChange(changed));
  return {
    provideCodeLenses(document) {
      const given = clicked({ file: document.uri.toString() });
      const lens = (command: string, title: string) => topLens(command, title, given);
      const { appliedAt, warnings } = saidOfFile(document, services);
      return [
        ...(appliedAt === undefined ? [] : [lens('', `$(check) ${t('Applied {0}', momentText(appliedAt))}`)]),
        ...warnings.map((text) => lens('', `$(warning) ${text}`)),
        lens(commandIds.applySettingsFile, `$(cloud-upload) ${t('Apply')}`),
        lens(commandIds.openSettingsFile, `$(settings) ${t('Open in Form')}`),
      ];
    },
  };
}
