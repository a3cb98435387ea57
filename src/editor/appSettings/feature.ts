import * as vscode from 'vscode';
import type { Transport } from '../../client/transport.ts';
import type { Commands } from '../commands.ts';
import { appSettingsViewType, commandIds } from '../ids.ts';
import { loadOnce } from '../../model/async/loadOnce.ts';
import type { Log } from '../log.ts';
import type { Projects } from '../projects/projects.ts';
import type { Prompts } from '../prompts/prompts.ts';
import type { AppliedSettings } from './appliedSettings.ts';
import { SettingsDocuments } from './settingsDocuments.ts';
import { SettingsLenses } from './settingsLenses.ts';

/** What the settings form is made of. */
export interface AppSettingsFeature {
  context: vscode.ExtensionContext;
  commands: Commands;
  projects: Projects;
  prompts: Prompts;
  transport: Transport;
  applied: AppliedSettings;
  log: Log;
}

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
    const form = new SettingsForm(feature, documents);
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
