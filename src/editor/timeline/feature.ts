import * as v from 'valibot';
import * as vscode from 'vscode';
import { commandIds, type Argument } from '../../contract/commands.ts';
import { loadOnce } from '../../shared/async/loadOnce.ts';
import type { Delivery } from '../../contract/delivery.ts';
import { saysNotKept } from '../../deliveries/keptDelivery.ts';
import type { Run } from '../../service/runs/run.ts';
import type { WebhookAttempt } from '../../service/webhookAttempt.ts';
import { t } from '../../shared/text/l10n.ts';
import { UserError } from '../../shared/text/userError.ts';
import { gatherTimeline } from './gatherTimeline.ts';
import type { Opens, Timeline } from '../../contract/timeline.ts';
import {
  type TimelineContent,
  type TimelineHostCalls,
  type TimelineOf,
  type TimelinePageCalls,
  timelineOfSchema,
  timelineSchemas,
} from '../../pages/timeline/timelineProtocol.ts';
import { type Provides, clicked, type CommandsOf } from '../kit/commands.ts';
import type { ErrorSurface } from '../kit/errorSurface.ts';
import { panelTypes } from '../kit/ids.ts';
import { timeOfDay } from '../../shared/text/durationText.ts';
import type { Services } from '../kit/services.ts';
import type { Listener } from '../listener/feature.ts';
import { PagePanel, PagePanels, type PageServices } from '../kit/pagePanel.ts';

/** *Show Timeline* and its panels. Loaded on first use. */
export function registerTimeline(
  services: Services,
  openAnswer: (id: string) => Promise<void>,
): Pick<Provides<'timeline'>, 'commands'> & { panels(): Promise<vscode.WebviewPanelSerializer> } {
  const load = loadOnce(() => Promise.resolve(timelines(services, openAnswer)));
  return {
    commands: async () => (await load()).commands,
    panels: async () => (await load()).panels,
  };
}

/**
 * The command, and the panel: one, which shows what was asked for last.
 * @param openAnswer shows the answer of a run, by Runhook's own id
 */
function timelines(services: Services, openAnswer: (id: string) => Promise<void>) {
  const { context, errors, log, listener, runs, sandbox, projects } = services;
  const source = new TimelineSource({
    ...{ listener, runs },
    sandbox: {
      attempts: async (runId) =>
        sandbox.state.kind === 'running' ? sandbox.ask((thread) => thread.attempts({ runId })) : [],
      onDidAttempt: sandbox.onDidAttempt,
      has: (projectId) => projects.isTransient(projectId),
    },
  });
  const open = async ({ kind, id, at }: Opens): Promise<void> => {
    if (kind === 'answer') await openAnswer(id);
    else if (kind === 'response')
      await vscode.commands.executeCommand(commandIds.openAppAnswer, ...clicked({ id, at }));
    else await vscode.commands.executeCommand(commandIds.openDelivery, ...clicked({ id }));
  };
  const { extensionUri } = context;
  const panels = new PagePanels<TimelineOf, TimelinePanel>({
    viewType: panelTypes.timeline,
    state: v.pipe(
      v.object({ of: timelineOfSchema }),
      v.transform(({ of }) => of),
    ),
    fill: (panel, of) => new TimelinePanel(panel, of, { source, open, errors, extensionUri, log }),
  });
  context.subscriptions.push(source, panels);
  return {
    panels,
    commands: {
      showTimeline: async (given = {}) => {
        const of = subjectOf(given) ?? source.newest();
        const timeline = await source.read(of);
        if (timeline.lanes.length === 0 && of.kind !== 'app') {
          throw new UserError(emptyText(of), { remedies: [{ kind: 'runApp' }] });
        }
        panels.open(of, vscode.ViewColumn.Active).show(of, timeline);
        return timeline;
      },
    } satisfies Partial<CommandsOf<'timeline'>>,
  };
}

function subjectOf(given: Argument<'showTimeline'>): TimelineOf | undefined {
  const { delivery, run, projectId, appName, id } = given;
  if (delivery !== undefined) return { kind: 'delivery', id: delivery };
  if (run !== undefined) return { kind: 'run', id: run };
  const app = given.app ?? (projectId !== undefined && appName !== undefined && { projectId, appName });
  if (app) return { kind: 'app', ...app };
  if (id === undefined) return undefined;
  // The row of a run passes its project, the row of a delivery only its own id.
  return projectId === undefined ? { kind: 'delivery', id } : { kind: 'run', id };
}

const page = { name: 'timeline', schemas: timelineSchemas };
/** The shortest time between two updates of the page, in milliseconds. */
const updateEveryMs = 300;

interface TimelineServices extends PageServices {
  source: TimelineSource;
  /** Opens the answer or delivery that a mark stands for. */
  open: (what: Opens) => Promise<void>;
  errors: ErrorSurface;
}

/** The timeline of a run, a delivery or an app. It is updated as more becomes known. */
export class TimelinePanel {
  readonly #page: PagePanel<TimelinePageCalls, TimelineHostCalls>;
  #of: TimelineOf;
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
        const subject = this.#of;
        const timeline = await services.source.read(subject);
        // Includes what arrived during the read.
        this.#updateSoon();
        return contentOf(subject, timeline);
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

  /** Shows the timeline of a subject, and goes on with it. */
  show(of: TimelineOf, timeline: Timeline): void {
    this.#of = of;
    this.#begun += 1;
    this.#draw(timeline, this.#begun);
  }

  /** @param number that of the update: one that began before and ends later is dropped */
  #draw(timeline: Timeline, number: number): void {
    this.#shown = number;
    if (timeline.title !== '') this.#page.title = t('Timeline of {0}', timeline.title);
    const content = contentOf(this.#of, timeline);
    this.#page.tell((shown) => shown.show(content));
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
      if (number >= this.#shown) this.#draw(timeline, number);
    } catch (error) {
      // The page keeps its content.
      this.#services.log.debug(`The timeline: ${String(error)}`);
    }
  }

  async #open(what: Opens): Promise<void> {
    const { open, errors } = this.#services;
    const retry = () => open(what);
    await retry().catch((error: unknown) => errors.report(t('Opening from the timeline'), error, retry));
  }
}

function contentOf(of: TimelineOf, timeline: Timeline): TimelineContent {
  return { of, timeline, emptyText: emptyText(of) };
}

/** What is said of a timeline that has nothing to draw. That of an app alone may have something later. */
function emptyText({ kind }: TimelineOf): string {
  switch (kind) {
    case 'delivery':
      return t('This delivery is no longer kept.');
    case 'run':
      return t('This run is no longer kept.');
    case 'app':
      return t('What happens next appears here.');
  }
}

/** How many deliveries to request: more lanes and marks would not be drawn. */
const mostDeliveries = 400;

/** The sources of what a timeline shows. */
interface TimelineParts {
  listener: Pick<Listener, 'page' | 'get' | 'onDidReceiveNews' | 'onDidForget'>;
  runs: { all(): Run[]; readonly onDidChange: vscode.Event<Run> };
  sandbox: {
    /** The webhook attempts of a run, or of all runs; none while the sandbox is not running. */
    attempts(runId?: string): Promise<WebhookAttempt[]>;
    readonly onDidAttempt: vscode.Event<WebhookAttempt>;
    /** Whether the runs of a project are the sandbox's. */
    has(projectId: string): boolean;
  };
}

/** Gathers what is known of a delivery, a run or an app. Fires an event when there may be more. */
export class TimelineSource implements vscode.Disposable {
  readonly #parts: TimelineParts;
  readonly #changed = new vscode.EventEmitter<void>();
  readonly onDidChange = this.#changed.event;
  readonly #owned: vscode.Disposable;

  constructor(parts: TimelineParts) {
    this.#parts = parts;
    const { listener, runs, sandbox } = parts;
    const fire = (): void => this.#changed.fire();
    this.#owned = vscode.Disposable.from(
      this.#changed,
      runs.onDidChange(fire),
      sandbox.onDidAttempt(fire),
      listener.onDidForget(fire),
      listener.onDidReceiveNews(fire),
    );
  }

  /** The timeline as known now. It has no title and no lanes if its delivery or run is no longer kept. */
  async read(of: TimelineOf): Promise<Timeline> {
    const { title, ...known } = of.kind === 'app' ? await this.#ofApp(of) : await this.#ofOne(of);
    return gatherTimeline(title, known, Date.now());
  }

  /** The default subject of a timeline: the last run. @throws UserError if there is none */
  newest(): TimelineOf {
    const [run] = this.#parts.runs.all().sort((a, b) => b.startedAt - a.startedAt);
    if (run !== undefined) return { kind: 'run', id: run.id };
    throw new UserError(t('Nothing has been run in this window yet.'), { remedies: [{ kind: 'runApp' }] });
  }

  dispose(): void {
    this.#owned.dispose();
  }

  async #ofApp({ projectId, appName }: TimelineOf & { kind: 'app' }) {
    const { listener, runs, sandbox } = this.#parts;
    const all = runs.all().filter(({ input }) => input.appName === appName);
    const projectRuns = all.filter(({ input }) => input.projectId === projectId);
    const otherRunIds = new Set(all.filter((run) => !projectRuns.includes(run)).map(({ runId }) => runId));
    const { deliveries } = await listener.page({ app: appName }, mostDeliveries);
    const attempts = sandbox.has(projectId) ? await sandbox.attempts() : [];
    return {
      title: appName,
      runs: projectRuns,
      deliveries: deliveries.filter(({ runId }) => runId === undefined || !otherRunIds.has(runId)),
      attempts: attempts.filter((attempt) => attempt.appName === appName),
    };
  }

  /** What is known of a run, or of a delivery and the other deliveries of its run. */
  async #ofOne({ kind, id }: TimelineOf & { kind: 'delivery' | 'run' }) {
    const { runs, sandbox } = this.#parts;
    const first = kind === 'delivery' ? await this.#kept(id) : undefined;
    const run = runs
      .all()
      .find((one) =>
        first === undefined
          ? one.id === id || one.runId === id
          : one.delivery?.id === id || (first.runId !== undefined && one.runId === first.runId),
      );
    const runId = run?.runId ?? first?.runId ?? (kind === 'run' && run === undefined ? id : undefined);
    const joined = first ?? (run?.delivery && (await this.#kept(run.delivery.id)));
    const deliveries = await this.#ofRun(runId, joined);
    const appName = run?.input.appName ?? deliveries.find((one) => one.appName !== undefined)?.appName;
    const at = run?.startedAt ?? deliveries[0]?.receivedAt;
    return {
      // Short, for the tab. The lane has the run's id.
      title: at === undefined ? '' : `${appName ?? t('delivery')} ${timeOfDay(new Date(at))}`,
      runs: run ? [run] : [],
      deliveries,
      attempts: runId === undefined ? [] : await sandbox.attempts(runId),
    };
  }

  /** The deliveries of a run, with the one already known to belong to it and the repeats of that one. */
  async #ofRun(runId: string | undefined, known: Delivery | undefined): Promise<Delivery[]> {
    const { listener } = this.#parts;
    const found = new Map<string, Delivery>();
    if (known !== undefined) found.set(known.id, known);
    const first = known?.repeatOf ?? known?.id;
    const belongs = (one: Delivery): boolean =>
      (runId !== undefined && one.runId === runId) ||
      (first !== undefined && (one.id === first || one.repeatOf === first));
    for (const text of [runId, known?.requestId]) {
      if (text === undefined || text === '') continue;
      const page = await listener.page({ text }, mostDeliveries);
      for (const one of page.deliveries.filter(belongs)) found.set(one.id, one);
    }
    return [...found.values()];
  }

  /** The delivery if it is still kept: it may have been dropped for newer ones while its run is kept. */
  #kept(id: string): Promise<Delivery | undefined> {
    return this.#parts.listener.get(id).catch((error: unknown) => {
      if (saysNotKept(error)) return undefined;
      throw error;
    });
  }
}
