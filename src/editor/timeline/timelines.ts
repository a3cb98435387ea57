import * as v from 'valibot';
import * as vscode from 'vscode';
import type { Opens } from '../../model/timeline/timeline.ts';
import { type TimelineOf, timelineOfSchema } from '../../model/timeline/timelineProtocol.ts';
import { clicked, command } from '../commands.ts';
import { commandIds, panelTypes } from '../ids.ts';
import type { ErrorSurface } from '../errors/errorSurface.ts';
import type { Log } from '../log.ts';
import { PagePanels } from '../webview/pagePanels.ts';
import { TimelinePanel } from './timelinePanel.ts';
import { type TimelineParts, TimelineSource } from './timelineSource.ts';

export interface TimelineFeature extends TimelineParts {
  context: vscode.ExtensionContext;
  errors: ErrorSurface;
  log: Log;
  /** Shows the answer of a run. `id`: Runhook's own id of the run. */
  openAnswer: (id: string) => Promise<void>;
}

const text = v.exactOptional(v.string());

/** The fields that the contract defines, and those that the rows of apps, runs and deliveries pass. */
const timelineSchema = v.object({
  delivery: text,
  run: text,
  app: v.exactOptional(v.object({ projectId: v.string(), appName: v.string() })),
  projectId: text,
  appName: text,
  id: text,
});

/** The command, and the panels: one for each run, delivery or app shown. */
export function timelines({ context, errors, log, openAnswer, ...parts }: TimelineFeature) {
  const source = new TimelineSource(parts);
  const open = async ({ kind, id }: Opens): Promise<void> => {
    if (kind === 'answer') await openAnswer(id);
    else await vscode.commands.executeCommand(commandIds.openDelivery, ...clicked({ id }));
  };
  const { extensionUri } = context;
  const panels = new PagePanels<TimelineOf, TimelinePanel>({
    viewType: panelTypes.timeline,
    state: v.pipe(
      v.object({ of: timelineOfSchema }),
      v.transform(({ of }) => of),
    ),
    keyOf: (of) => JSON.stringify(of),
    fill: (panel, of) => new TimelinePanel(panel, of, { source, open, errors, extensionUri, log }),
  });
  context.subscriptions.push(source, panels);
  return {
    panels,
    commands: {
      [commandIds.showTimeline]: command(timelineSchema, async (given = {}) => {
        const of = subjectOf(given) ?? source.newest();
        const timeline = await source.read(of);
        panels.open(of, vscode.ViewColumn.Active).show(timeline);
        return timeline;
      }),
    },
  };
}

function subjectOf(given: v.InferOutput<typeof timelineSchema>): TimelineOf | undefined {
  const { delivery, run, projectId, appName, id } = given;
  if (delivery !== undefined) return { kind: 'delivery', id: delivery };
  if (run !== undefined) return { kind: 'run', id: run };
  const app = given.app ?? (projectId !== undefined && appName !== undefined && { projectId, appName });
  if (app) return { kind: 'app', ...app };
  if (id === undefined) return undefined;
  // The row of a run passes its project, the row of a delivery only its own id.
  return projectId === undefined ? { kind: 'delivery', id } : { kind: 'run', id };
}
