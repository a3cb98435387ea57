import * as vscode from 'vscode';
import type { Delivery, FailedAt } from '../../contract/delivery.ts';
import { isTaken } from '../../deliveries/forwardText.ts';
import { isEdited } from '../../deliveries/keptDelivery.ts';
import type { Listener } from '../listener/feature.ts';

/** Of how many deliveries lines are marked: those that failed last. */
const mostMarked = 100;

/**
 * Marks the lines at which the handler has failed, each until the handler there takes a delivery: an edited one where an
 * edited one failed.
 */
export class FailureMarks implements vscode.Disposable {
  readonly #marks = vscode.languages.createDiagnosticCollection('runhook.failures');
  /** By the delivery, and whether it was edited; the last one at the end. */
  readonly #failures = new Map<string, { to: string; isEdited: boolean; failedAt: FailedAt }>();
  readonly #owned: vscode.Disposable;

  constructor(listener: Pick<Listener, 'onDidReceiveDelivery' | 'onDidChangeDelivery' | 'onDidForget'>) {
    this.#owned = vscode.Disposable.from(
      this.#marks,
      listener.onDidReceiveDelivery((delivery) => this.#told(delivery)),
      listener.onDidChangeDelivery((delivery) => this.#told(delivery)),
      listener.onDidForget(() => {
        this.#failures.clear();
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
    const { to, failedAt } = last;
    const wasEdited = isEdited(last);
    if (isTaken(last)) {
      for (const [other, failure] of this.#failures) {
        if (failure.to === to && failure.isEdited === wasEdited) this.#remove(other);
      }
    } else if (failedAt !== undefined && failedAt.oneOf === undefined) {
      const key = wasEdited ? `${id} edited` : id;
      this.#remove(key);
      this.#failures.set(key, { to, isEdited: wasEdited, failedAt });
      this.#show(failedAt.file);
      const [oldest] = this.#failures.keys();
      if (this.#failures.size > mostMarked && oldest !== undefined) this.#remove(oldest);
    }
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

function markOf({ line, message }: FailedAt): vscode.Diagnostic {
  const range = new vscode.Range(line - 1, 0, line - 1, Number.MAX_SAFE_INTEGER);
  // No error: while there is one, the editor asks before it debugs the handler, whose listener a task starts first.
  const mark = new vscode.Diagnostic(range, message, vscode.DiagnosticSeverity.Warning);
  mark.source = 'Runhook';
  return mark;
}
