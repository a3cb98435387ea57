import type * as vscode from 'vscode';
import type { Provides } from '../commands.ts';
import { loadOnce } from '../../model/async/loadOnce.ts';
import { loadQuestions } from '../projects/feature.ts';
import type { AppSettingsFeature } from './panel/settingsForm.ts';
import { settingsLenses } from './settingsLenses.ts';

/** The providers that activation registers with the editor. */
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
  const load = loadOnce(async () => {
    const { settingsForm } = await import('./panel/settingsForm.ts');
    const form = settingsForm(feature, await loadQuestions(feature));
    context.subscriptions.push(form);
    return form;
  });
  return {
    commands: async () => (await load()).commands,
    // The URI of a history document contains its text.
    documents: { provideTextDocumentContent: ({ query }) => `${query}\n` },
    lenses: settingsLenses,
    panels: async () => (await load()).panels.pages,
    dispose: () => applied.dispose(),
  };
}
