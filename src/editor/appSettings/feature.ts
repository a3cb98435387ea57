import type * as vscode from 'vscode';
import type { Transport } from '../../client/transport.ts';
import type { Provides } from '../commands.ts';
import { loadOnce } from '../loadOnce.ts';
import type { Log } from '../log.ts';
import type { Projects } from '../projects/projects.ts';
import type { Prompts } from '../prompts/prompts.ts';
import type { AppliedSettings } from './appliedSettings.ts';
import { SettingsDocuments } from './settingsDocuments.ts';
import { SettingsLenses } from './settingsLenses.ts';

/** What the settings form is made of. */
export interface AppSettingsFeature {
  context: vscode.ExtensionContext;
  projects: Projects;
  prompts: Prompts;
  transport: Transport;
  applied: AppliedSettings;
  log: Log;
}

/** What activation has the editor ask for. */
export interface AppSettingsProviders {
  documents: vscode.TextDocumentContentProvider;
  lenses: vscode.CodeLensProvider;
  panels(): Promise<vscode.WebviewPanelSerializer>;
}

/** The settings form, its commands and its panels. */
export function registerAppSettings(
  feature: AppSettingsFeature,
): Provides<'appSettings'> & AppSettingsProviders {
  const { applied, context } = feature;
  const documents = new SettingsDocuments();
  const load = loadOnce(async () => {
    const { SettingsForm } = await import('./panel/settingsForm.ts');
    const form = new SettingsForm(feature, documents);
    context.subscriptions.push(form);
    return form;
  });
  return {
    commands: async () => (await load()).commands(),
    documents,
    lenses: new SettingsLenses(),
    panels: async () => (await load()).panels,
    dispose: () => applied.dispose(),
  };
}
