import * as vscode from 'vscode';
import { type Delivery, type DeliverySummary, summarise } from '../../model/deliveries/delivery.ts';
import type { Run } from '../../model/runs/run.ts';
import type { WebhookAttempt } from '../../model/service/webhookAttempt.ts';
import { t } from '../../model/text/l10n.ts';
import { UserError } from '../../model/text/userError.ts';
import { gatherTimeline, type Known } from '../../model/timeline/gatherTimeline.ts';
import type { Timeline } from '../../model/timeline/timeline.ts';
import type { TimelineOf } from '../../model/timeline/timelineProtocol.ts';
import type { Listener } from '../listener/feature.ts';

/** How many deliveries to request: more lanes and marks would not be drawn. */
const mostDeliveries = 400;

/** The sources of what a timeline shows. */
export interface TimelineParts {
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

  /** The timeline as known now. @throws UserError if a delivery is no longer kept */
  async read(of: TimelineOf): Promise<Timeline> {
    const { title, ...known } = of.kind === 'app' ? await this.#ofApp(of) : await this.#ofOne(of);
    return gatherTimeline(title, known, Date.now());
  }

  /** The default subject of a timeline: the last run. @throws UserError if there is none */
  newest(): TimelineOf {
    const [run] = this.#parts.runs.all().sort((a, b) => b.startedAt - a.startedAt);
    if (run !== undefined) return { kind: 'run', id: run.id };
    throw new UserError(t('Nothing has been run from this window yet.'), { remedies: [{ kind: 'runApp' }] });
  }

  dispose(): void {
    this.#owned.dispose();
  }

  async #ofApp({ projectId, appName }: TimelineOf & { kind: 'app' }) {
    const { listener, runs, sandbox } = this.#parts;
    const all = runs.all().filter(({ input }) => input.appName === appName);
    const projectRuns = all.filter(({ input }) => input.projectId === projectId);
    const otherRunIds = new Set(all.filter((run) => !projectRuns.includes(run)).map(({ runId }) => runId));
    const { deliveries, forwarding } = await listener.page({ app: appName }, mostDeliveries);
    const attempts = sandbox.has(projectId) ? await sandbox.attempts() : [];
    return {
      title: appName,
      runs: projectRuns,
      deliveries: deliveries.filter(({ runId }) => runId === undefined || !otherRunIds.has(runId)),
      attempts: attempts.filter((attempt) => attempt.appName === appName),
      forwarding: new Set(forwarding),
    };
  }

  /** What is known of a run, or of a delivery and the other deliveries of its run. */
  async #ofOne({ kind, id }: TimelineOf & { kind: 'delivery' | 'run' }) {
    const { listener, runs, sandbox } = this.#parts;
    const first = kind === 'delivery' ? await listener.get(id) : undefined;
    const run = runs
      .all()
      .find((one) =>
        first === undefined
          ? one.id === id || one.runId === id
          : one.delivery?.id === id || (first.runId !== undefined && one.runId === first.runId),
      );
    const runId = run?.runId ?? first?.runId ?? (kind === 'run' && run === undefined ? id : undefined);
    const joined = first ?? (run?.delivery && (await this.#kept(run.delivery.id)));
    const { deliveries, forwarding } = await this.#ofRun(runId, joined);
    const appName = run?.input.appName ?? deliveries.find((one) => one.appName !== undefined)?.appName;
    return {
      title: [appName, runId].filter(Boolean).join(' · ') || t('delivery'),
      runs: run ? [run] : [],
      deliveries,
      attempts: runId === undefined ? [] : await sandbox.attempts(runId),
      forwarding,
    };
  }

  /** The deliveries of a run, with the one already known to belong to it and the repeats of that one. */
  async #ofRun(
    runId: string | undefined,
    known: Delivery | undefined,
  ): Promise<Pick<Known, 'deliveries' | 'forwarding'>> {
    const { listener } = this.#parts;
    const found = new Map<string, DeliverySummary>();
    const forwarding = new Set<string>();
    if (known !== undefined) found.set(known.id, summarise(known));
    const first = known?.repeatOf ?? known?.id;
    const belongs = (one: DeliverySummary): boolean =>
      (runId !== undefined && one.runId === runId) ||
      (first !== undefined && (one.id === first || one.repeatOf === first));
    for (const text of [runId, known?.requestId]) {
      if (text === undefined || text === '') continue;
      const page = await listener.page({ text }, mostDeliveries);
      for (const one of page.deliveries.filter(belongs)) found.set(one.id, one);
      for (const id of page.forwarding) forwarding.add(id);
    }
    return { deliveries: [...found.values()], forwarding };
  }

  /** The delivery if it is still kept: it may have been dropped for newer ones while its run is kept. */
  #kept(id: string): Promise<Delivery | undefined> {
    return this.#parts.listener.get(id).catch(() => undefined);
  }
}
