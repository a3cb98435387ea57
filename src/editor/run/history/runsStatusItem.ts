import * as vscode from 'vscode';
import { t } from '../../../model/text/l10n.ts';
import { plainText } from '../../../model/text/plainText.ts';
import type { Prompts } from '../../prompts/prompts.ts';

/** Run by a click on the item; internal, so not in package.json. */
export const runsMenuCommand = 'runhook.runs.menu';

/** A run that is shown: its answer has not arrived, or its delivery is waited for. */
export interface ActiveRun {
  /** The app and the time of day. */
  readonly title: string;
  readonly waitingFor: 'answer' | 'delivery' | 'nothing';
  cancel(): void;
}

/** One item in the status bar for all runs and all waits. A click offers to cancel each of them, or all. */
export class RunsStatusItem implements vscode.Disposable {
  readonly #active: () => readonly ActiveRun[];
  readonly #item = vscode.window.createStatusBarItem('runhook.runs', vscode.StatusBarAlignment.Left, 9);
  readonly #owned: vscode.Disposable;

  constructor(active: () => readonly ActiveRun[], prompts: Pick<Prompts, 'pick'>) {
    this.#active = active;
    this.#item.name = t('Runhook runs');
    this.#item.command = runsMenuCommand;
    this.#owned = vscode.Disposable.from(
      this.#item,
      vscode.commands.registerCommand(runsMenuCommand, () => cancelRuns(active(), prompts)),
    );
  }

  /** Draws it anew: a run began, changed or ended. */
  show(): void {
    const active = this.#active();
    const text = runsText(active);
    if (text === undefined) {
      this.#item.hide();
      return;
    }
    this.#item.text = `$(sync~spin) ${text}`;
    this.#item.tooltip = [...active.map(lineOf), t('Click to cancel.')].join('\n');
    this.#item.show();
  }

  dispose(): void {
    this.#owned.dispose();
  }
}

/** Offers to cancel each of the runs, or all. */
export async function cancelRuns(
  active: readonly ActiveRun[],
  prompts: Pick<Prompts, 'pick'>,
): Promise<void> {
  const choices = active.map((run) => ({
    label: `$(stop-circle) ${plainText(run.title)}`,
    description: run.waitingFor === 'answer' ? t('Cancel the run') : t('Stop waiting for the delivery'),
    value: [run],
  }));
  const all = { label: `$(stop-circle) ${t('Cancel All')}`, value: [...active] };
  const picked = await prompts.pick(t('Runs'), active.length > 1 ? [all, ...choices] : choices);
  for (const run of picked ?? []) run.cancel();
}

/** What the item says; undefined if nothing is waited for. */
export function runsText(active: readonly Pick<ActiveRun, 'title' | 'waitingFor'>[]): string | undefined {
  const [only, second] = active;
  if (only === undefined) return undefined;
  if (second === undefined) return lineOf(only);
  const waiting = active.filter(({ waitingFor }) => waitingFor === 'delivery').length;
  if (waiting === 0) return t('{0} runs', active.length);
  if (waiting === active.length) return t('Waiting for {0} deliveries', waiting);
  return t('{0} runs, waiting for deliveries', active.length);
}

function lineOf({ title, waitingFor }: Pick<ActiveRun, 'title' | 'waitingFor'>): string {
  const name = plainText(title, 40);
  return waitingFor === 'answer' ? t('Running {0}', name) : t('{0}: waiting for the delivery', name);
}
