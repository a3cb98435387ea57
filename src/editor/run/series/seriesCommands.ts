import * as v from 'valibot';
import * as vscode from 'vscode';
import { t } from '../../../model/text/l10n.ts';
import { UserError } from '../../../model/text/userError.ts';
import { type CalledFrom, command } from '../../commands.ts';
import { commandIds, viewIds } from '../../ids.ts';
import type { Prompts } from '../../prompts/prompts.ts';
import { type FileCalls, type GivenCall, payloadInFront } from '../fileCalls.ts';
import type { RunHistory } from '../history/runHistory.ts';
import type { RunView } from '../history/runView.ts';
import type { LastChoices } from '../lastChoices.ts';
import { quietly } from '../quietly.ts';
import { inputOf, isComplete, runAppSchema } from '../runApp.ts';
import { askHowMany, atOnceLimits, timesLimits } from './howMany.ts';
import type { SeriesResult, SeriesRuns } from './seriesRuns.ts';

/** How many run at once if the caller does not say. */
const defaultAtOnce = 5;
const defaultWaitSeconds = 30;

const text = v.exactOptional(v.string());
const wholeNumber = ([least, most]: readonly [number, number]) =>
  v.exactOptional(v.pipe(v.number(), v.integer(), v.minValue(least), v.maxValue(most)));

const seriesSchema = v.object({
  ...runAppSchema.entries,
  /** The run that is repeated, by Runhook's id of it; the last one where neither it, an app nor a file is given. */
  id: text,
  /** A file to run with: its address, its path, or its path within the workspace. */
  file: text,
  /** How often: 2 to 100. Asked for where it is left out. */
  times: wholeNumber(timesLimits),
  /** How many at once: 1 to 20; 5 where it is left out. */
  concurrency: wholeNumber(atOnceLimits),
  /** How long deliveries are waited for once all runs have ended, in seconds: 0 to 900; 30 where it is left out. */
  waitForDeliveries: wholeNumber([0, 900]),
  /** Opens no table. */
  quiet: v.optional(v.boolean(), false),
});

type Given = v.InferOutput<typeof seriesSchema>;

export interface SeriesCommandsParts {
  prompts: Prompts;
  last: LastChoices;
  view: RunView;
  history: RunHistory;
  series: SeriesRuns;
  calls: Pick<FileCalls, 'ofFile'>;
}

/** *Run N Times…*, and the command in its table that shows the deliveries. */
export function seriesCommands(parts: SeriesCommandsParts) {
  const { prompts, last, view, history, series, calls } = parts;

  /** The call of the given run, file or app; else of the payload in the active editor, or of the last run. */
  async function callOf(given: Given | undefined, from: CalledFrom): Promise<GivenCall> {
    const { id, file, projectId, appName, confirmed = false, secret } = given ?? {};
    const mayAsk = from !== 'caller';
    if (id !== undefined) return { input: view.repeatable(id), options: {} };
    if (file !== undefined) return calls.ofFile({ file, projectId, appName, confirmed }, mayAsk);
    if (isComplete(given)) {
      return { input: inputOf(given), options: { secret: secret === false ? undefined : secret } };
    }
    return payloadInFront() !== undefined
      ? calls.ofFile({ confirmed }, mayAsk)
      : { input: view.repeatable(), options: {} };
  }

  async function runMany(given: Given | undefined, from: CalledFrom): Promise<SeriesResult> {
    const { input, options } = await callOf(given, from);
    const { times, concurrency, waitForDeliveries = defaultWaitSeconds } = given ?? {};
    const size =
      times === undefined
        ? await askHowMany(prompts, last, input.appName)
        : { times, atOnce: concurrency ?? defaultAtOnce };
    const { confirmed = false, quiet = false, signal } = given ?? {};
    const cancellation = signal instanceof AbortSignal && { signal };
    return series.run(input, size, {
      ...{ ...options, confirmed, quiet, ...cancellation },
      waitSeconds: waitForDeliveries,
    });
  }

  return {
    [commandIds.runManyTimes]: command(seriesSchema, (given, from) => quietly(runMany(given, from))),

    [commandIds.showDeliveriesOfRuns]: command(v.object({ id: text }), async (given) => {
      const runs = history.ofSeries({ id: given?.id ?? '' });
      const run = runs.flatMap(({ runId }) => runId ?? []);
      const [{ input } = {}] = runs;
      if (input === undefined) throw new UserError(t('This run is no longer kept.'));
      // If the answers contained no run ids, only the app of their deliveries is known.
      const filter = run.length > 0 ? { run } : { app: input.appName };
      await vscode.commands.executeCommand(commandIds.filterDeliveries, filter);
      await vscode.commands.executeCommand(`${viewIds.deliveries}.focus`);
    }),
  };
}
