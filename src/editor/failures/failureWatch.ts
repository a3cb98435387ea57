import * as vscode from 'vscode';
import type { Attempt, Delivery, FailedAt } from '../../contract/delivery.ts';
import { failedAt, lateMs, type SeenFailure, type Sending } from '../../deliveries/failure/attribution.ts';
import { failurePlace, placeInBody } from '../../deliveries/failure/failurePlace.ts';
import type { Workspace } from '../../deliveries/failure/workspaceFiles.ts';
import { isTaken } from '../../deliveries/forwardText.ts';
import type { Clock } from '../../shared/async/clock.ts';
import { Turns } from '../../shared/async/turns.ts';
import { type Log, logError } from '../kit/log.ts';
import { windowFiles } from '../kit/windowFiles.ts';
import type { Listener } from '../listener/feature.ts';
import type { HandlerOutput, ToldError } from './handlerOutput.ts';

/** How many attempts are remembered: the failure of one may be that of another which was under way as well. */
const mostAttempts = 500;
/** How many failures wait to be looked into. In a burst of more, nobody looks at each line. */
const mostPending = 50;

export interface FailureWatchParts {
  listener: Pick<Listener, 'onDidReceiveDelivery' | 'onDidChangeDelivery' | 'onDidForget'> & {
    sender: Pick<Listener['sender'], 'answer' | 'noteFailure'>;
  };
  output: Pick<HandlerOutput, 'errorsSince'>;
  clock: Clock;
  log: Log;
}

/** Finds out for each attempt that failed where the handler failed, and has that kept with the attempt. */
export class FailureWatch implements vscode.Disposable {
  readonly #parts: FailureWatchParts;
  /** Attempts before this window was there are those of others to judge. */
  readonly #since: number;
  /** The attempts that have ended, by delivery and time. */
  readonly #ended = new Map<string, Sending & { to: number }>();
  /** Since when deliveries are in the handler, by their id. */
  readonly #underWay = new Map<string, number>();
  readonly #pending = new Set<() => void>();
  readonly #turns = new Turns();
  readonly #owned: vscode.Disposable;

  constructor(parts: FailureWatchParts) {
    const { listener, clock } = parts;
    this.#parts = parts;
    this.#since = clock.now();
    this.#owned = vscode.Disposable.from(
      listener.onDidReceiveDelivery((delivery) => this.#told(delivery)),
      listener.onDidChangeDelivery((delivery) => this.#told(delivery)),
      listener.onDidForget(() => this.#underWay.clear()),
    );
  }

  dispose(): void {
    this.#owned.dispose();
    for (const cancel of this.#pending) cancel();
  }

  #told(delivery: Delivery): void {
    const { id, receivedAt, isForwarding, waitingSince, attempts = [] } = delivery;
    if (isForwarding === true) this.#underWay.set(id, Date.parse(waitingSince ?? receivedAt));
    else this.#underWay.delete(id);
    for (const attempt of attempts) this.#attempted(id, attempt);
  }

  #attempted(id: string, attempt: Attempt): void {
    const { at, status, durationMs, failedAt: known } = attempt;
    const to = Date.parse(at);
    const key = `${id} ${at}`;
    if (to < this.#since || this.#ended.has(key)) return;
    const ended = { from: to - durationMs, to, ...(status !== undefined && { status }) };
    this.#ended.set(key, ended);
    const [oldest] = this.#ended.keys();
    if (this.#ended.size > mostAttempts && oldest !== undefined) this.#ended.delete(oldest);
    if (isTaken(attempt) || known !== undefined || this.#pending.size >= mostPending) return;
    const { clock, log } = this.#parts;
    // What the handler writes of it may still be on its way.
    const cancel = clock.after(Math.max(0, to + lateMs - clock.now()), () => {
      this.#turns
        .next(() => this.#judge(id, at, ended))
        .catch((error: unknown) => logError(log, error))
        .finally(() => this.#pending.delete(cancel));
    });
    this.#pending.add(cancel);
  }

  async #judge(id: string, at: string, attempt: Sending & { to: number }): Promise<void> {
    const { listener, output } = this.#parts;
    const errors = output.errorsSince(attempt.from - lateMs);
    const workspace = await windowFiles();
    const open = [...this.#underWay].flatMap(([other, from]) => (other === id ? [] : [{ from }]));
    const others = [...[...this.#ended.values()].filter((one) => one !== attempt), ...open];
    let unsure: FailedAt | undefined;
    for (const told of errors) {
      const found = failedAt(attempt, others, await seenIn(told, workspace));
      if (found !== undefined && found.oneOf === undefined) {
        await listener.sender.noteFailure({ id, at, failedAt: found });
        return;
      }
      unsure ??= found;
    }
    // A response is that of its own delivery.
    const found = (await this.#inResponse(id, at, workspace)) ?? unsure;
    if (found !== undefined) await listener.sender.noteFailure({ id, at, failedAt: found });
  }

  async #inResponse(id: string, at: string, workspace: Workspace): Promise<FailedAt | undefined> {
    const answer = await this.#parts.listener.sender.answer(id, at);
    if (answer === undefined || answer.bodyEncoding === 'base64') return undefined;
    return placeInBody(answer.body, workspace);
  }
}

async function seenIn(errors: readonly ToldError[], workspace: Workspace): Promise<SeenFailure[]> {
  const seen = errors.map(async ({ trace, at, source }): Promise<SeenFailure[]> => {
    const place = await failurePlace(trace, workspace);
    return place === undefined ? [] : [{ at, place, source }];
  });
  return (await Promise.all(seen)).flat();
}
