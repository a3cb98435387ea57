import * as vscode from 'vscode';
import { commandIds } from '../../../contract/commands.ts';
import { bytesText } from '../../../shared/text/bytesText.ts';
import { durationText, timeOfDay } from '../../../shared/text/durationText.ts';
import {
  appKey,
  keptDeliveryOf,
  refusalText,
  type Run,
  type RunDelivery,
} from '../../../service/runs/run.ts';
import { outcomeText } from '../../../deliveries/outcomeText.ts';
import { runOutcome } from '../../../deliveries/runOutcome.ts';
import { t } from '../../../shared/text/l10n.ts';
import { plainText } from '../../../shared/text/plainText.ts';
import { repeatsText } from '../../../deliveries/verdictText.ts';
import type { AppRef } from '../../../service/projects/project.ts';
import { clicked } from '../../kit/commands.ts';
import { dayText, momentText } from '../../kit/localeFormat.ts';
import { joined, node, type Node, themeIcon } from '../../kit/tree.ts';
import type { AppRows, NewestRun } from '../../projects/feature.ts';
import type { RunHistory } from './runHistory.ts';

/** Debounces redraws, in milliseconds: a tool may run an app a thousand times. */
const redrawEveryMs = 250;

const dayMs = 24 * 60 * 60 * 1000;

/** The runs of an app, shown under it in the Projects view. */
export class RunNodes implements AppRows, vscode.Disposable {
  readonly #history: RunHistory;
  readonly #changed = new vscode.EventEmitter<AppRef>();
  readonly #pending = new Map<string, NodeJS.Timeout>();
  readonly #subscription: vscode.Disposable;

  readonly onDidChange = this.#changed.event;

  constructor(history: RunHistory) {
    this.#history = history;
    this.#subscription = history.onDidChange((run) => this.#announce(run));
  }

  of(app: AppRef): Node[] {
    return this.#history.list(app).map((run) => runRow(run, this.#history.isOwn(run)));
  }

  newest(app: AppRef): NewestRun | undefined {
    const [run] = this.#history.list(app);
    if (run === undefined) return undefined;
    const { delivery, startedAt } = run;
    if (delivery?.isForwarding === true) return runOutcome(run);
    return { ...runOutcome(run), at: delivery ? Date.parse(delivery.receivedAt) : startedAt };
  }

  dispose(): void {
    for (const timer of this.#pending.values()) clearTimeout(timer);
    this.#subscription.dispose();
    this.#changed.dispose();
  }

  #announce({ input: { projectId, appName } }: Run): void {
    const key = appKey({ projectId, appName });
    if (this.#pending.has(key)) return;
    const announce = (): void => {
      this.#pending.delete(key);
      this.#changed.fire({ projectId, appName });
    };
    this.#pending.set(key, setTimeout(announce, redrawEveryMs));
  }
}

/** @param isOwn whether this window sends it, and can cancel it */
function runRow(run: Run, isOwn: boolean): Node {
  const { id, runId, startedAt, input, outcome, delivery } = run;
  const { icon, color, text } = runOutcome(run);
  const [label, said] = [startText(startedAt), plainText(text, 150)];
  const repeats = delivery?.repeats ?? 0;
  return node({
    id: `run ${id}`,
    label,
    description: joined(' · ', said, repeats > 0 && `↻ ${repeats}`),
    spoken: joined(', ', label, said, repeats > 0 && repeatsText(repeats)),
    icon: themeIcon(icon, color),
    context: joined(
      ' ',
      'run',
      outcome.kind === 'running' && isOwn ? 'going' : outcome.kind,
      keptDeliveryOf(run) !== undefined && 'delivered',
      hasResponse(run) && 'received',
    ),
    tooltip: tooltip(run),
    argument: { projectId: input.projectId, id, runId },
    click: { command: commandIds.openRunAnswer, title: t('Open Response'), arguments: clicked({ id }) },
  });
}

/** Whether there is a response to it, or the beginning of one. */
function hasResponse({ outcome, headAfterMs }: Run): boolean {
  return outcome.kind === 'answered' || headAfterMs !== undefined;
}

/** The time for runs of the last 24 hours, the date for older ones. */
function startText(startedAt: number): string {
  return Date.now() - startedAt < dayMs ? timeOfDay(new Date(startedAt)) : dayText(startedAt);
}

/** Plain text, not Markdown: the run id and the reason come from the service. */
function tooltip(run: Run): string {
  const { input, startedAt, outcome, runId } = run;
  const notDelivered = input.webhook === false ? undefined : (refusalText(run) ?? run.notDelivered);
  const { delivery } = run;
  return [
    `${input.method} ${plainText(input.path)}`,
    momentText(startedAt),
    ...(outcome.kind === 'answered'
      ? [`${outcome.status} · ${durationText(outcome.durationMs)} · ${bytesText(outcome.bytes)}`]
      : []),
    ...(outcome.kind === 'cancelled' ? [t('The run was cancelled.')] : []),
    ...(outcome.kind === 'failed' ? [plainText(outcome.reason, 300)] : []),
    ...(notDelivered === undefined || delivery !== undefined ? [] : [notDelivered]),
    ...(delivery === undefined ? [] : [t('Delivery: {0}', deliveredText(delivery))]),
    ...(runId === undefined ? [] : [plainText(runId)]),
    ...(typeof input.webhook === 'string' ? [plainText(input.webhook)] : []),
  ].join('\n');
}

function deliveredText(delivery: RunDelivery): string {
  const { repeats } = delivery;
  return joined(' · ', plainText(outcomeText(delivery), 300), repeats > 0 && repeatsText(repeats));
}
