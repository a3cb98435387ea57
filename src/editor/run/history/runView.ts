import * as vscode from 'vscode';
import type { RunInput } from '../../../model/runs/run.ts';
import { t } from '../../../model/text/l10n.ts';
import { mendedBy, UserError } from '../../../model/text/userError.ts';
import { contextIds } from '../../ids.ts';
import { type Log, logError } from '../../log.ts';
import type { RunAppResult, PreparedRun, PrepareOptions } from '../runner.ts';
import type { Prompts } from '../../prompts/prompts.ts';
import { RunsStatusItem } from './runsStatusItem.ts';
import { ShownRun, type ShownRunParts } from './shownRun.ts';

export interface RunViewOptions extends PrepareOptions {
  /** Cancels the run: the caller has given up. */
  signal?: AbortSignal;
}

/** Something that *Cancel Run* cancels. */
export interface Cancellable {
  readonly id: string;
  cancel(): void;
}

/** Starts, cancels and repeats the runs whose answers are shown in the editor. */
export class RunView implements vscode.Disposable {
  readonly #parts: ShownRunParts;
  readonly #log: Log;
  readonly #active = new Set<Cancellable>();
  readonly #shown = new Set<ShownRun>();
  readonly #item: RunsStatusItem;
  readonly #subscription: vscode.Disposable;

  constructor(parts: ShownRunParts, prompts: Prompts, log: Log) {
    this.#parts = parts;
    this.#log = log;
    this.#item = new RunsStatusItem(
      () => [...this.#shown].filter(({ waitingFor }) => waitingFor !== 'nothing'),
      prompts,
    );
    this.#subscription = parts.history.onDidChange(() => this.#item.show());
  }

  /** Resolves with the complete answer. The wait for the delivery continues after that. */
  async run(input: RunInput, options: RunViewOptions = {}): Promise<RunAppResult> {
    const { signal } = options;
    const prepared = await this.prepare(input, options, (changed) => this.run(changed, options));
    signal?.throwIfAborted();
    const shown = new ShownRun(prepared, this.#parts);
    signal?.addEventListener('abort', () => shown.cancel(), { once: true });
    this.#shown.add(shown);
    this.#item.show();
    this.watch(
      shown,
      shown.ended.finally(() => {
        this.#shown.delete(shown);
        this.#item.show();
      }),
    );
    return shown.answered;
  }

  /** Lets *Cancel Run* cancel `active` until `ended` settles. */
  watch(active: Cancellable, ended: Promise<unknown>): void {
    this.#active.add(active);
    this.#updateContext();
    void ended
      .catch((error: unknown) => logError(this.#log, error))
      .finally(() => {
        this.#active.delete(active);
        this.#updateContext();
      });
  }

  /** Prepares a run. The remedies of an error fix the input and continue the same run: nothing is picked again. */
  async prepare(
    input: RunInput,
    options: PrepareOptions,
    goOn: (changed: RunInput) => Promise<unknown>,
  ): Promise<PreparedRun> {
    try {
      return await this.#parts.runner.prepare(input, options);
    } catch (error) {
      // A plain UserError is fixed in the document; a class of its own has its own remedy.
      const isOfDocument = error instanceof UserError && error.name === 'UserError';
      const uri = isOfDocument ? options.document?.toString() : undefined;
      const remedies = uri === undefined ? [] : [{ kind: 'openFile', uri } as const];
      throw mendedBy(error, remedies, (change) => goOn({ ...input, ...change }));
    }
  }

  /** Repeats the run with this id, or the last run. */
  async again(id?: string): Promise<RunAppResult> {
    return this.run(this.repeatable(id));
  }

  /** The input of the run with this id, or of the last run. @throws UserError if it is no longer known */
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

  /** Cancels the run with this id, or all runs. Returns how many were cancelled. */
  cancel(id?: string): number {
    const runs = [...this.#active].filter((run) => id === undefined || run.id === id);
    for (const run of runs) run.cancel();
    return runs.length;
  }

  dispose(): void {
    this.cancel();
    this.#subscription.dispose();
    this.#item.dispose();
  }

  /** Shows *Cancel Run* in the palette while there is a run to cancel. */
  #updateContext(): void {
    void vscode.commands.executeCommand('setContext', contextIds.runActive, this.#active.size > 0);
  }
}
