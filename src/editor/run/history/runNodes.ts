import * as vscode from 'vscode';
import { commandIds } from '../../../contract/commands.ts';
import { brokenOffText, bytesText } from '../../../shared/text/bytesText.ts';
import { durationText } from '../../../shared/text/durationText.ts';
import { isGivenUp, refusalText, refusedStatus, appKey, type Run } from '../../../service/runs/run.ts';
import { t } from '../../../shared/text/l10n.ts';
import { plainText } from '../../../shared/text/plainText.ts';
import { repeatsText, verdictText } from '../../../deliveries/verdictText.ts';
import type { AppRef } from '../../../service/projects/project.ts';
import { clicked } from '../../kit/commands.ts';
import { joined, node, type Node, themeIcon } from '../../kit/tree.ts';
import type { AppRows } from '../../projects/feature.ts';
import type { RunHistory } from './runHistory.ts';

/** Debounces redraws, in milliseconds: a tool may run an app a thousand times. */
const redrawEveryMs = 250;

/** The runs of an app, shown under it in the Projects view. */
export class RunNodes implements AppRows, vscode.Disposable {
  readonly #history: RunHistory;
  readonly #isSandbox: (projectId: string) => boolean;
  readonly #changed = new vscode.EventEmitter<AppRef>();
  readonly #pending = new Map<string, NodeJS.Timeout>();
  readonly #subscription: vscode.Disposable;

  readonly onDidChange = this.#changed.event;

  /** @param isSandbox whether a project belongs to the sandbox */
  constructor(history: RunHistory, isSandbox: (projectId: string) => boolean) {
    this.#isSandbox = isSandbox;
    this.#history = history;
    this.#subscription = history.onDidChange((run) => this.#announce(run));
  }

  of(app: AppRef): Node[] {
    return this.#history.list(app).map((run) => runRow(run, this.#isSandbox(run.input.projectId)));
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

function runRow(run: Run, isSandbox: boolean): Node {
  const { id, runId, startedAt, input, delivery } = run;
  const attempts = isSandbox && input.webhook !== false ? ' attempts' : '';
  return node({
    id: `run ${id}`,
    label: startText(startedAt),
    description: joined(' · ', outcomeText(run), deliveryText(run)),
    icon: outcomeIcon(run),
    context: (delivery === undefined ? 'run' : 'runDelivered') + attempts,
    tooltip: tooltip(run),
    argument: { projectId: input.projectId, id, runId },
    click: { command: commandIds.openRunAnswer, title: t('Open Answer'), arguments: clicked({ id }) },
  });
}

/** The time for runs of today, the date for older ones. */
function startText(startedAt: number): string {
  const at = new Date(startedAt);
  const isToday = at.toDateString() === new Date().toDateString();
  return isToday ? at.toLocaleTimeString(vscode.env.language) : at.toLocaleDateString(vscode.env.language);
}

function outcomeText({ outcome }: Run): string {
  switch (outcome.kind) {
    case 'running':
      return t('running');
    case 'answered':
      return `${outcome.status} · ${durationText(outcome.durationMs)}`;
    case 'failed':
      return outcome.bytes === undefined ? t('failed') : brokenOffText(outcome.bytes);
    case 'cancelled':
      return t('cancelled');
    case 'interrupted':
      return t('interrupted by a reload');
  }
}

function deliveryText(run: Run): string {
  const { input, outcome, delivery, brokenOff } = run;
  if (delivery !== undefined) {
    const verdict = verdictText(delivery.verdict);
    const delivered = t('delivered, {0}', verdict);
    return delivery.repeats === 0 ? delivered : `${delivered}, ${repeatsText(delivery.repeats)}`;
  }
  if (input.webhook === false || (outcome.kind !== 'answered' && outcome.kind !== 'running')) return '';
  if (refusedStatus(run) !== undefined) return t('not delivered: the run was refused');
  if (brokenOff !== undefined) {
    return t('not delivered: {0}', brokenOffText(brokenOff.bytes, brokenOff.announced));
  }
  if (typeof input.webhook === 'string') return t('delivered elsewhere');
  return run.awaited === true ? t('waiting for the delivery') : t('not delivered');
}

function outcomeIcon(run: Run): vscode.ThemeIcon {
  switch (run.outcome.kind) {
    case 'running':
      return themeIcon('sync~spin');
    case 'cancelled':
      return themeIcon('circle-slash');
    case 'interrupted':
      return themeIcon('debug-disconnect');
    case 'failed':
      return themeIcon('error', 'list.errorForeground');
    case 'answered':
      return run.outcome.status < 400 ? deliveryIcon(run) : warning();
  }
}

/** The icon of an answered run. Green only if its delivery is verified, or if it has no webhook. */
function deliveryIcon(run: Run): vscode.ThemeIcon {
  const { input, delivery } = run;
  if (input.webhook === false || delivery?.verdict === 'verified') {
    return themeIcon('pass', 'charts.green');
  }
  if (isGivenUp(run)) return warning();
  const asExpected = delivery === undefined || delivery.verdict === input.signing;
  return asExpected ? themeIcon('pass') : warning();
}

function warning(): vscode.ThemeIcon {
  return themeIcon('warning', 'list.warningForeground');
}

/** Plain text, not Markdown: the run id and the reason come from the service. */
function tooltip(run: Run): string {
  const { input, startedAt, outcome, runId } = run;
  const refusal = input.webhook === false ? undefined : refusalText(run);
  return [
    `${input.method} ${plainText(input.path)}`,
    new Date(startedAt).toLocaleString(vscode.env.language),
    ...(outcome.kind === 'answered' ? [bytesText(outcome.bytes)] : []),
    ...(outcome.kind === 'failed' ? [plainText(outcome.reason, 300)] : []),
    ...(refusal === undefined ? [] : [refusal]),
    ...(runId === undefined ? [] : [plainText(runId)]),
    ...(typeof input.webhook === 'string' ? [plainText(input.webhook)] : []),
  ].join('\n');
}
