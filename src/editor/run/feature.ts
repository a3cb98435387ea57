import * as vscode from 'vscode';
import { AnswerStore } from './answers/answerFile.ts';
import type { FileDocuments } from '../kit/documents.ts';
import type { Provides } from '../kit/commands.ts';
import { logError } from '../kit/log.ts';
import { systemClock } from '../../shared/async/clock.ts';
import { loadOnce } from '../../shared/async/loadOnce.ts';
import { t } from '../../shared/text/l10n.ts';
import { DeclinedError } from '../kit/prompts.ts';
import type { AppRef } from '../../service/projects/project.ts';
import { appKey, type Run } from '../../service/runs/run.ts';
import type { RunFeatureParts } from './runCommands.ts';
import { DeliveryWaits } from './deliveryWaits.ts';
import { AnswerDocuments } from './answers/answerDocument.ts';
import { RunAnswers } from './answers/runAnswers.ts';
import type { payloadLanguage } from './payloads/payloadLanguage.ts';

/** The key of the apps whose first delivery was compared, and how many are remembered. */
const comparedKey = 'run.comparedFirst';
const mostCompared = 1000;

export type { RunAppResult } from './send.ts';

/** The run feature, until it is disposed of. */
export interface RunFeature extends Provides<'run'> {
  /** The documents of answers. */
  answers: FileDocuments;
  /** What the editor offers in payload documents. @param changed called when their links may have changed */
  payloadLanguage: (changed: () => void) => Promise<ReturnType<typeof payloadLanguage>>;
  /** Shows the answer of a run, by Runhook's own id. @throws UserError if the run is no longer known */
  openAnswer(id: string): Promise<void>;
  /** The kept bytes of the body of a run's response. */
  answerBody: (run: Run) => Promise<Uint8Array>;
  /** An app got another name: what is kept by its name goes with it. @param mayAsk about files of the workspace */
  renamedApp(from: AppRef, to: AppRef, mayAsk: boolean): Promise<void>;
  /** Removes all payloads, runs and answers. Cancels the runs in progress, and the waits for their deliveries. */
  erase(): Promise<void>;
  /** Saves runs in progress as they are: the window is closing. */
  leave(): Promise<void>;
}

/** Running apps: payload documents, answers, history. The code that runs apps is loaded with the first run. */
export function registerRun(parts: RunFeatureParts): RunFeature {
  const { context, listener, sandbox, log, runs: history } = parts;
  const { globalStorageUri: storage } = context;
  const store = new AnswerStore(storage.fsPath, (error) => logError(log, error));
  const kept = new RunAnswers(history, store, listener);
  const answers = new AnswerDocuments((asked) => kept.content(asked));
  const renew = (id: string): void => {
    answers.renew(id).catch((error: unknown) => logError(log, error));
  };
  /** Aborted to cancel all runs. */
  let runs = new AbortController();
  const commands = loadOnce(async () => {
    const { runCommands } = await import('./runCommands.ts');
    return runCommands(parts, { documents: answers, answers: kept, store, cancelled: () => runs.signal });
  });
  const tick = ({ id }: Run): void => {
    renew(id);
    // A wait that goes on after a reload has its item in the status bar by them.
    commands().catch((error: unknown) => logError(log, error));
  };
  const waits = new DeliveryWaits({ history, listener, sandbox, clock: systemClock, tick });
  const noteNow = (id: string): void => {
    listener.get(id).then(
      (delivery) => history.noteDelivery(delivery, false),
      // It was deleted meanwhile.
      () => undefined,
    );
  };
  const comparedApps = new Set(context.workspaceState.get<string[]>(comparedKey, []));
  /** The first delivery of an app that the service has sent is compared with what Deliver Here makes. */
  const compareFirst = async (run: Run): Promise<void> => {
    const { delivery, input, outcome } = run;
    const app = appKey(input);
    if (!history.isOwn(run) || outcome.kind !== 'answered') return;
    if (delivery?.verdict !== 'verified' || delivery.madeHere === true) return;
    // The sandbox wraps the response of an app of the user's own for the webhook alone.
    if (comparedApps.has(app) || parts.projects.isTransient(input.projectId)) return;
    comparedApps.add(app);
    const { compareFirst: compare } = await import('./firstDelivery.ts');
    await context.workspaceState.update(comparedKey, [...comparedApps].slice(-mostCompared));
    await compare({ ...parts, answers: kept, documents: answers }, run, delivery.id);
  };
  const owned = vscode.Disposable.from(
    answers,
    waits,
    history.onDidChange(({ id }) => renew(id)),
    listener.onDidAttach(() => history.onTheirWay.forEach(noteNow)),
    history.onDidChange((run) => compareFirst(run).catch((error: unknown) => logError(log, error))),
    listener.onDidReceiveDelivery((delivery) => history.noteDelivery(delivery)),
    listener.onDidChangeDelivery((delivery) => history.noteDelivery(delivery, false)),
    listener.onDidClear(() => history.forgetDeliveries()),
    listener.onDidReceiveNews(({ brokenOff, refused }) => {
      for (const one of brokenOff) history.noteBrokenOff(one);
      for (const one of refused) history.noteTooLarge(one);
    }),
  );
  return {
    commands,
    answers,
    payloadLanguage: async (changed) =>
      (await import('./payloads/payloadLanguage.ts')).payloadLanguage(parts, changed),
    openAnswer: async (id) => {
      const { openAnswer } = await import('./answers/answerCommands.ts');
      await openAnswer(kept.run(id), kept, answers);
    },
    answerBody: (run) => kept.bytes(run),
    renamedApp: async (from, to, mayAsk) => {
      const { renamedApp } = await import('./renamedApp.ts');
      await renamedApp({ ...parts, answers: store }, from, to, mayAsk);
    },
    erase: async () => {
      runs.abort(new DeclinedError(t('The run was cancelled.')));
      runs = new AbortController();
      for (const run of history.all().filter((one) => history.isOwn(one))) history.setAwaited(run, false);
      await history.erase();
      await parts.payloads.store.erase();
      await store.erase();
      comparedApps.clear();
    },
    leave: async () => {
      await Promise.allSettled([history.leave(), store.written()]);
    },
    dispose: () => void owned.dispose(),
  };
}
