import * as vscode from 'vscode';
import { appSettingsViewType, commandIds } from '../ids.ts';
import { loadOnce } from '../../model/async/loadOnce.ts';
import { loadQuestions } from '../projects/feature.ts';
import { SettingsDocuments } from './settingsDocuments.ts';
import { SettingsLenses } from './settingsLenses.ts';
import type { AppSettingsFeature } from './panel/settingsForm.ts';

const commandSet = [
  commandIds.editAppSettings,
  commandIds.applyAppSettings,
  commandIds.applySettingsFile,
  commandIds.openSettingsFile,
];

/** The settings form, its commands and its panels; of these, activation loads the links in files alone. */
export function registerAppSettings(feature: AppSettingsFeature): vscode.Disposable {
  const { commands, applied, context } = feature;
  const documents = new SettingsDocuments();
  const load = loadOnce(async () => {
    const { SettingsForm } = await import('./panel/settingsForm.ts');
    const form = new SettingsForm(feature, documents, await loadQuestions(feature));
    context.subscriptions.push(form);
    return form;
  });
  commands.registerLazily(commandSet, async () => {
    const made = await load();
    return () => made.registerCommands();
  });
  return vscode.Disposable.from(
    applied,
    documents.register(),
    new SettingsLenses().register(),
    vscode.window.registerWebviewPanelSerializer(appSettingsViewType, {
      async deserializeWebviewPanel(panel, state) {
        const { panels } = await load();
        await panels.deserializeWebviewPanel(panel, state);
      },
    }),
  );
}
