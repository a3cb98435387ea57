import type * as vscode from 'vscode';
import { commandIds } from '../../contract/commands.ts';
import { type Provides, clicked } from '../kit/commands.ts';
import { topLens } from '../kit/topLens.ts';
import { loadOnce } from '../../shared/async/loadOnce.ts';
import { loadQuestions } from '../projects/feature.ts';
import type { AppliedSettings } from './appliedSettings.ts';
import { t } from '../../shared/text/l10n.ts';
import type { Services } from '../kit/services.ts';

/** The providers that activation registers with the editor. */
export interface AppSettingsProviders {
  lenses: vscode.CodeLensProvider;
  panels(): Promise<vscode.WebviewPanelSerializer>;
}

/** The settings form, its commands and its panels. */
export function registerAppSettings(
  services: Services & { applied: AppliedSettings },
): Provides<'appSettings'> & AppSettingsProviders {
  const { applied, context } = services;
  const load = loadOnce(async () => {
    const { settingsForm } = await import('./settingsForm.ts');
    const form = settingsForm(services, await loadQuestions(services));
    context.subscriptions.push(form);
    return form;
  });
  return {
    commands: async () => (await load()).commands,
    lenses: settingsLenses,
    panels: async () => (await load()).panels.pages,
    dispose: () => applied.dispose(),
  };
}

/** The links at the top of a file of settings, `*.runhook.json`. */
const settingsLenses: vscode.CodeLensProvider = {
  provideCodeLenses({ uri }) {
    const given = clicked({ file: uri.toString() });
    const lens = (command: string, title: string) => topLens(command, title, given);
    return [
      lens(commandIds.applySettingsFile, `$(cloud-upload) ${t('Apply')}`),
      lens(commandIds.openSettingsFile, `$(settings) ${t('Open in Form')}`),
    ];
  },
};
