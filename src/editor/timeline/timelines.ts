import * as v from 'valibot';
import * as vscode from 'vscode';
import type { Opens, Timeline } from '../../model/timeline/timeline.ts';
import {
  type TimelineHostCalls,
  type TimelineOf,
  type TimelinePageCalls,
  timelineCallSchemas,
  timelineOfSchema,
} from '../../model/timeline/timelineProtocol.ts';
import { clicked, command } from '../commands.ts';
import { commandIds, panelTypes } from '../ids.ts';
import type { Services } from '../kit/services.ts';
import type { ErrorSurface } from '../errors/errorSurface.ts';
import { PagePanels } from '../webview/pagePanels.ts';
import { TimelineSource } from './timelineSource.ts';
import { pageMessageSchema } from '../../model/processes/pageProtocol.ts';
import { t } from '../../model/text/l10n.ts';
import { PagePanel, type PageServices } from '../webview/pagePanel.ts';

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

/**
 * The command, and the panels: one for each run, delivery or app shown.
 * @param openAnswer shows the answer of a run, by Runhook's own id
 */
export function timelines(services: Services, openAnswer: (id: string) => Promise<void>) {
  const { context, errors, log, listener, runs, sandbox, projects } = services;
  const source = new TimelineSource({
    ...{ listener, runs },
    sandbox: {
      attempts: async (runId) =>
        sandbox.state.kind === 'running' ? sandbox.ask('attempts', runId === undefined ? {} : { runId }) : [],
      onDidAttempt: sandbox.onDidAttempt,
      has: (projectId) => projects.isTransient(projectId),
    },
  });
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

const page = { name: 'timeline', messages: pageMessageSchema(timelineCallSchemas) };
/** The shortest time between two updates of the page, in milliseconds. */
const updateEveryMs = 300;

export interface TimelineServices extends PageServices {
  source: TimelineSource;
  /** Opens the answer or delivery that a mark stands for. */
  open: (what: Opens) => Promise<void>;
  errors: ErrorSurface;
}

/** The timeline of a run, a delivery or an app. It is updated as more becomes known. */
export class TimelinePanel {
  readonly #page: PagePanel<TimelinePageCalls, TimelineHostCalls>;
  readonly #of: TimelineOf;
  readonly #services: TimelineServices;
  #timer: NodeJS.Timeout | undefined;
  /** How many updates have begun, and the number of the one that is shown. */
  #begun = 0;
  #shown = 0;

  constructor(panel: vscode.WebviewPanel, of: TimelineOf, services: TimelineServices) {
    this.#of = of;
    this.#services = services;
    const host = {
      title: t('Timeline'),
      load: async () => {
        const timeline = await services.source.read(of);
        // Includes what arrived during the read.
        this.#updateSoon();
        return { of, timeline };
      },
      handlers: { open: (what: Opens) => this.#open(what) },
      calledAs: t('The timeline'),
    };
    this.#page = new PagePanel<TimelinePageCalls, TimelineHostCalls>(panel, page, host, services);
    const changes = services.source.onDidChange(() => this.#updateSoon());
    panel.onDidDispose(() => {
      clearTimeout(this.#timer);
      changes.dispose();
    });
  }

  /** Shows a timeline, and names the tab after it. */
  show(timeline: Timeline): void {
    this.#page.title = t('Timeline {0}', timeline.title);
    this.#page.tell('show', timeline);
  }

  #updateSoon(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      // A hidden page needs no update: it loads again when it is shown.
      if (this.#page.isLoaded) void this.#update();
    }, updateEveryMs);
  }

  async #update(): Promise<void> {
    const number = (this.#begun += 1);
    try {
      const timeline = await this.#services.source.read(this.#of);
      // One that began later may have been faster, and knows more.
      if (number < this.#shown) return;
      this.#shown = number;
      this.show(timeline);
    } catch (error) {
      // The page keeps its content. For example, the delivery is no longer kept.
      this.#services.log.debug(`The timeline: ${String(error)}`);
    }
  }

  async #open(what: Opens): Promise<undefined> {
    const { open, errors } = this.#services;
    const retry = () => open(what);
    await retry().catch((error: unknown) => errors.report(t('Opening it from the timeline'), error, retry));
    return undefined;
  }
}
