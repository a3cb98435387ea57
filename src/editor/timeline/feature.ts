import type * as vscode from 'vscode';
import { loadOnce } from '../../model/async/loadOnce.ts';
import type { Provides } from '../commands.ts';
import type { TimelineFeature } from './timelines.ts';

/** *Show Timeline* and its panels. Loaded on first use. */
export function registerTimeline(
  feature: TimelineFeature,
): Pick<Provides<'timeline'>, 'commands'> & { panels(): Promise<vscode.WebviewPanelSerializer> } {
  const load = loadOnce(async () => (await import('./timelines.ts')).timelines(feature));
  return {
    commands: async () => (await load()).commands,
    panels: async () => (await load()).panels,
  };
}
