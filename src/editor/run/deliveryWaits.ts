import * as vscode from 'vscode';
import { type DeliveryWaitParts, whyItCannotArrive } from '../../deliveries/deliveryWait.ts';
import {
  isOfSandbox,
  notDeliveredBySandbox,
  notDeliveredSinceReload,
} from '../../service/projects/projectErrors.ts';
import { isExpected, type Run } from '../../service/runs/run.ts';
import type { Clock } from '../../shared/async/clock.ts';
import { spanText } from '../../shared/text/durationText.ts';
import { t } from '../../shared/text/l10n.ts';
import type { Sandbox } from '../sandbox/feature.ts';
import { unknownRunText } from './answers/answerText.ts';
import type { RunHistory } from './history/runHistory.ts';

export interface DeliveryWaitsParts {
  history: Pick<RunHistory, 'all' | 'isOwn' | 'onDidChange' | 'setAwaited'>;
  /** The deliveries come to it. */
  listener: Pick<DeliveryWaitParts['listener'], 'state' | 'onDidChangeState'>;
  /** That of this window, which delivers what runs in it. */
  sandbox: Pick<Sandbox, 'onDidChangeState'>;
  clock: Clock;
  /** Called every second that a run waits. */
  tick: (run: Run) => void;
}

/** How long to wait for a delivery, in milliseconds. */
const giveUpAfterMs = 15 * 60_000;
/** The same where the response does not name the run: only a delivery that holds that response is known to be of it. */
const giveUpUnknownAfterMs = 15_000;
const tickMs = 1000;

/** The waits of this window for deliveries, those from before its reload too. Ends each when it is over. */
export class DeliveryWaits implements vscode.Disposable {
  readonly #parts: DeliveryWaitsParts;
  /** What stops each wait from going on. */
  readonly #waiting = new Map<Run, () => void>();
  readonly #owned: vscode.Disposable;

  constructor(parts: DeliveryWaitsParts) {
    const { history, listener, sandbox } = parts;
    this.#parts = parts;
    for (const run of history.all()) this.#takeUp(run);
    this.#owned = vscode.Disposable.from(
      history.onDidChange((run) => this.#follow(run)),
      // Not before it changes: a window that has just started is not attached to it yet.
      listener.onDidChangeState((state) => {
        for (const run of this.#waiting.keys()) {
          const why = whyItCannotArrive(run, state);
          if (why !== undefined) history.setAwaited(run, false, why);
        }
      }),
      sandbox.onDidChangeState((state) => {
        const isOver = state.kind === 'failed' || (state.kind === 'stopped' && state.comesBack !== true);
        for (const run of isOver ? this.#waiting.keys() : []) {
          if (isOfSandbox(run.input.projectId)) history.setAwaited(run, false, notDeliveredBySandbox());
        }
      }),
    );
  }

  dispose(): void {
    for (const stop of this.#waiting.values()) stop();
    this.#owned.dispose();
  }

  /** Goes on with a run from before the reload of this window, with which its sandbox has ended. */
  #takeUp(run: Run): void {
    const { projectId } = run.input;
    if (this.#isAwaited(run) && isOfSandbox(projectId))
      this.#parts.history.setAwaited(run, false, notDeliveredSinceReload(run.runId));
    else this.#follow(run);
  }

  #isAwaited(run: Run): boolean {
    return run.awaited === true && this.#parts.history.isOwn(run);
  }

  #follow(run: Run): void {
    const { history } = this.#parts;
    const isAwaited = this.#isAwaited(run);
    if (isAwaited && !isExpected(run)) history.setAwaited(run, false);
    else if (isAwaited && !this.#waiting.has(run)) this.#wait(run);
    else if (!isAwaited) this.#stop(run);
  }

  #wait(run: Run): void {
    const { history, clock, tick } = this.#parts;
    const [most, why] = isUnknown(run)
      ? [giveUpUnknownAfterMs, unknownRunText()]
      : [giveUpAfterMs, t('Nothing was delivered within {0}.', spanText(giveUpAfterMs))];
    if (waitedMs(run, clock.now()) >= most) {
      history.setAwaited(run, false, why);
      return;
    }
    const next = (): void => {
      this.#wait(run);
      tick(run);
    };
    this.#waiting.set(run, clock.after(tickMs, next));
  }

  #stop(run: Run): void {
    this.#waiting.get(run)?.();
    this.#waiting.delete(run);
  }
}

/** Whether its response has come, and names no run. */
function isUnknown({ runId, outcome }: Run): boolean {
  return runId === undefined && outcome.kind === 'answered';
}

/** How long the delivery of a run is waited for, in milliseconds. */
export function waitedMs({ startedAt, outcome }: Run, now: number): number {
  return now - startedAt - (outcome.kind === 'answered' ? outcome.durationMs : 0);
}
