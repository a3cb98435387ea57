import type * as vscode from 'vscode';
import type { Provides } from '../kit/commands.ts';
import { loadOnce } from '../../shared/async/loadOnce.ts';
import { loadQuestions } from '../projects/feature.ts';
import type { AppliedSettings } from './appliedSettings.ts';
import type { Services } from '../kit/services.ts';

/** The providers that activation registers with the editor. */
export interface AppSettingsProviders {
  /** The links at the top of a settings file. @param changed called when they may have changed */
  lenses: (changed: () => void) => Promise<vscode.CodeLensProvider>;
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
    lenses: async (changed) => (await import('./settingsLenses.ts')).settingsLenses(services, changed),
    panels: async () => (await load()).panels.pages,
    dispose: () => applied.dispose(),
  };
}
