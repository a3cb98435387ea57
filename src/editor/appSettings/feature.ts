import type * as vscode from 'vscode';
import type { Provides } from '../commands.ts';
import { loadOnce } from '../../model/async/loadOnce.ts';
import { loadQuestions } from '../projects/feature.ts';
import type { AppSettingsFeature } from './panel/settingsForm.ts';
import { SettingsDocuments } from './settingsDocuments.ts';
import { SettingsLenses } from './settingsLenses.ts';

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
    const form = new SettingsForm(feature, documents, await loadQuestions(feature));
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
