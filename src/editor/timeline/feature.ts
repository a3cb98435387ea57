import type * as vscode from 'vscode';
import { loadOnce } from '../../model/async/loadOnce.ts';
import type { Provides } from '../commands.ts';
import type { Services } from '../kit/services.ts';

/** *Show Timeline* and its panels. Loaded on first use. */
export function registerTimeline(
  services: Services,
  openAnswer: (id: string) => Promise<void>,
): Pick<Provides<'timeline'>, 'commands'> & { panels(): Promise<vscode.WebviewPanelSerializer> } {
  const load = loadOnce(async () => (await import('./timelines.ts')).timelines(services, openAnswer));
  return {
    commands: async () => (await load()).commands,
    panels: async () => (await load()).panels,
  };
}
