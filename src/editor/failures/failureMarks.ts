import { statSync } from 'node:fs';
import * as vscode from 'vscode';
import type { Delivery, FailedAt } from '../../contract/delivery.ts';
import { isTaken } from '../../deliveries/forwardText.ts';
import { isEdited } from '../../deliveries/keptDelivery.ts';
import type { Listener } from '../listener/feature.ts';

/** Of how many deliveries lines are marked: those that failed last. */
const mostMarked = 100;

/**
 * Marks the lines at which the handler has failed, each until the handler there takes that delivery, or any once the file
 * was changed. One that was edited ends only the marks of edited ones.
 */
export class FailureMarks implements vscode.Disposable {
  readonly #marks = vscode.languages.createDiagnosticCollection('runhook.failures');
  /** By the delivery, and whether it was edited; the last one at the end. */
  readonly #failures = new Map<string, { to: string; isEdited: boolean; at: string; failedAt: FailedAt }>();
  /** When the handler at an address has taken a delivery last: a failure before that is over. */
  readonly #taken = new Map<string, string>();
  readonly #owned: vscode.Disposable;

  readonly #changedAt: (file: string) => number;

  /** @param changedAt when a file was changed last, in Unix milliseconds; one that is gone counts as changed */
  constructor(
    listener: Pick<Listener, 'onDidReceiveDelivery' | 'onDidChangeDelivery' | 'onDidForget'>,
    changedAt = (file: string): number => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? Infinity,
  ) {
    this.#changedAt = changedAt;
    this.#owned = vscode.Disposable.from(
      this.#marks,
      listener.onDidReceiveDelivery((delivery) => this.#told(delivery)),
      listener.onDidChangeDelivery((delivery) => this.#told(delivery)),
      listener.onDidForget(() => {
        this.#failures.clear();
        this.#taken.clear();
        this.#marks.clear();
      }),
    );
  }

  dispose(): void {
    this.#owned.dispose();
  }

  #told({ id, attempts = [] }: Delivery): void {
    const last = attempts.at(-1);
    if (last === undefined) return;
    const { at, to, failedAt, status } = last;
    const wasEdited = isEdited(last);
    const key = wasEdited ? `${id} edited` : id;
    if (isTaken(last)) {
      for (const ofEdited of wasEdited ? [true] : [true, false]) {
        this.#took(to, ofEdited, at);
        this.#remove(ofEdited ? `${id} edited` : id);
      }
    } else if (failedAt !== undefined && failedAt.oneOf === undefined) {
      // It may be told again, of a delivery that was sent before.
      const taken = this.#taken.get(takerKey(to, wasEdited)) ?? '';
      if (at <= taken && this.#wasChanged(failedAt.file, at)) return;
      this.#remove(key);
      this.#failures.set(key, { to, isEdited: wasEdited, at, failedAt });
      this.#show(failedAt.file);
      const [oldest] = this.#failures.keys();
      if (this.#failures.size > mostMarked && oldest !== undefined) this.#remove(oldest);
    } else if (status !== undefined && at > (this.#failures.get(key)?.at ?? at)) {
      // It fails otherwise by now. Where, may be found out in a moment.
      this.#remove(key);
    }
  }

  #took(to: string, ofEdited: boolean, at: string): void {
    const taker = takerKey(to, ofEdited);
    const before = this.#taken.get(taker) ?? '';
    this.#taken.delete(taker);
    this.#taken.set(taker, before > at ? before : at);
    const [oldest] = this.#taken.keys();
    if (oldest !== undefined && this.#taken.size > mostMarked) this.#taken.delete(oldest);
    for (const [other, failure] of this.#failures) {
      const isOfIt = failure.to === to && failure.isEdited === ofEdited;
      if (isOfIt && this.#wasChanged(failure.failedAt.file, failure.at)) this.#remove(other);
    }
  }

  /** Whether a file may be mended since a failure. @param at when that was */
  #wasChanged(file: string, at: string): boolean {
    return this.#changedAt(file) > Date.parse(at);
  }

  #remove(key: string): void {
    const failure = this.#failures.get(key);
    this.#failures.delete(key);
    if (failure !== undefined) this.#show(failure.failedAt.file);
  }

  #show(file: string): void {
    const inFile = [...this.#failures.values()].filter(({ failedAt }) => failedAt.file === file);
    const byLine = new Map(inFile.map(({ failedAt }) => [`${failedAt.line} ${failedAt.message}`, failedAt]));
    this.#marks.set(vscode.Uri.file(file), [...byLine.values()].map(markOf));
  }
}

function takerKey(to: string, ofEdited: boolean): string {
  return JSON.stringify([to, ofEdited]);
}

function markOf({ line, message }: FailedAt): vscode.Diagnostic {
  const range = new vscode.Range(line - 1, 0, line - 1, Number.MAX_SAFE_INTEGER);
  // No error: while there is one, the editor asks before it debugs the handler, whose listener a task starts first.
  const mark = new vscode.Diagnostic(range, message, vscode.DiagnosticSeverity.Warning);
  mark.source = 'Runhook';
  return mark;
}
