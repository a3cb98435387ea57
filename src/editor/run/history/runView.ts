import * as vscode from 'vscode';
import type { RunInput } from '../../../model/runs/run.ts';
import { t } from '../../../model/text/l10n.ts';
import { mendedBy, UserError } from '../../../model/text/userError.ts';
import { contextIds } from '../../ids.ts';
import { type Log, logError } from '../../log.ts';
import type { RunAppResult } from '../../../client/answers/runAppResult.ts';
import type { PreparedRun, PrepareOptions } from '../runner.ts';
import { ShownRun, type ShownRunParts } from './shownRun.ts';

export interface RunViewOptions extends PrepareOptions {
  /** Whoever called has given up. */
  signal?: AbortSignal;
}

/** What *Cancel Run* ends. */
export interface Cancellable {
  readonly id: string;
  cancel(): void;
}

/** The runs whose answers are on show: starts them, cancels them, repeats them. */
export class RunView implements vscode.Disposable {
  readonly #parts: ShownRunParts;
  readonly #log: Log;
  readonly #active = new Set<Cancellable>();

  constructor(parts: ShownRunParts, log: Log) {
    this.#parts = parts;
    this.#log = log;
  }

  /** Resolves with the answer when it is complete; its delivery is waited for beyond that. */
  async run(input: RunInput, options: RunViewOptions = {}): Promise<RunAppResult> {
    const { signal } = options;
    const prepared = await this.prepare(input, options, (changed) => this.run(changed, options));
    signal?.throwIfAborted();
    const shown = new ShownRun(prepared, this.#parts);
    signal?.addEventListener('abort', () => shown.cancel(), { once: true });
    this.watch(shown, shown.ended);
    return shown.answered;
  }

  /** Has *Cancel Run* end it, until it has ended by itself. */
  watch(active: Cancellable, ended: Promise<unknown>): void {
    this.#active.add(active);
    this.#tellActive();
    void ended
      .catch((error: unknown) => logError(this.#log, error))
      .finally(() => {
        this.#active.delete(active);
        this.#tellActive();
      });
  }

  /** What keeps a run from being sent is mended, and the same run goes on: nothing is picked anew. */
  async prepare(
    input: RunInput,
    options: PrepareOptions,
    goOn: (changed: RunInput) => Promise<unknown>,
  ): Promise<PreparedRun> {
    try {
      return await this.#parts.runner.prepare(input, options);
    } catch (error) {
      // What cannot be sent stands in the document; what goes by a class of its own is mended by that.
      const isOfDocument = error instanceof UserError && error.name === 'UserError';
      const uri = isOfDocument ? options.document?.toString() : undefined;
      const remedies = uri === undefined ? [] : [{ kind: 'openFile', uri } as const];
      throw mendedBy(error, remedies, (change) => goOn({ ...input, ...change }));
    }
  }

  /** Runs the same again: the run of that id, else the last one. */
  async again(id?: string): Promise<RunAppResult> {
    return this.run(this.repeatable(id));
  }

  /** What was sent with the run of that id, or with each of that series. @throws UserError where it is no longer known */
  repeatable(id?: string): RunInput {
    const run = this.#parts.history.sent(id);
    if (run === undefined) {
      throw new UserError(t('There is no such run to repeat.'), { remedies: [{ kind: 'runApp' }] });
    }
    if (run.bodyDropped === true) {
      throw new UserError(
        t(
          'What this run sent is not kept: it is too large, or holds a value of the environment or a password. Run it from its document.',
        ),
        { remedies: [{ kind: 'runApp' }] },
      );
    }
    return run.input;
  }

  /** Cancels the run of that id, else every one. Returns how many there were. */
  cancel(id?: string): number {
    const runs = [...this.#active].filter((run) => id === undefined || run.id === id);
    for (const run of runs) run.cancel();
    return runs.length;
  }

  dispose(): void {
    this.cancel();
  }

  /** Has *Cancel Run* in the palette while there is a run to cancel. */
  #tellActive(): void {
    void vscode.commands.executeCommand('setContext', contextIds.runActive, this.#active.size > 0);
  }
}
