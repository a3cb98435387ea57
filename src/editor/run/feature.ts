import * as vscode from 'vscode';
import { KeptAnswers } from '../../client/answers/keptAnswers.ts';
import { systemClock } from '../../model/processes/clock.ts';
import type { ServedFiles } from '../activation/lazyFiles.ts';
import { runTitle } from '../../model/runs/run.ts';
import { t } from '../../model/text/l10n.ts';
import { UserError } from '../../model/text/userError.ts';
import type { Provides } from '../commands.ts';
import { logError } from '../log.ts';
import { loadOnce } from '../../model/async/loadOnce.ts';
import type { RunFeatureParts } from './commandSet.ts';
import { answerContent } from './answers/answerContent.ts';
import { AnswerDocuments } from './answers/answerDocuments.ts';
import { SeriesTables } from './series/seriesTables.ts';
import type { payloadLanguage } from './payloads/payloadLanguage.ts';

export { type DeliveryWaitParts, waitForDelivery } from './history/deliveryWait.ts';

/** Running, until it is disposed of. */
export interface RunFeature extends Provides<'run'> {
  /** The documents of answers, and what the editor offers in payload documents. */
  answers: ServedFiles;
  payloadLanguage(): Promise<ReturnType<typeof payloadLanguage>>;
  /** Shows the answer of a run, by Runhook's own id of it. @throws UserError where it is no longer known */
  openAnswer(id: string): Promise<void>;
  /** Removes all payloads, runs and answers. */
  erase(): Promise<void>;
  /** Keeps what is under way as it stands: the window is going. */
  leave(): Promise<void>;
}

/** Running apps: payload documents, answers, history; what runs them is loaded with the first run. */
export function registerRun(parts: RunFeatureParts): RunFeature {
  const { context, listener, log, runs: history } = parts;
  const { globalStorageUri: storage } = context;
  const kept = new KeptAnswers(storage.fsPath, systemClock, (error) => logError(log, error));
  const tables = new SeriesTables(history);
  const answers = new AnswerDocuments(async (id) => {
    const table = tables.find(id);
    if (table !== undefined) return table;
    const answer = await kept.find(id);
    const run = history.all().find((one) => one.id === id);
    return answer && run && answerContent({ ...answer, run, waitingFor: 'nothing', elapsedMs: 0 });
  });
  const renew = (id: string): void => {
    answers.renew(id).catch((error: unknown) => logError(log, error));
  };
  const owned = vscode.Disposable.from(
    ...[answers, tables, tables.onDidChange(renew)],
    history.onDidChange(({ id, series }) => {
      renew(id);
      if (series !== undefined) renew(series.id);
    }),
    listener.onDidReceiveDelivery((delivery) => history.noteDelivery(delivery)),
    listener.onDidChangeDelivery((delivery) => history.noteDelivery(delivery, false)),
    listener.onDidReceiveNews(({ brokenOff }) => brokenOff.forEach((one) => history.noteBrokenOff(one))),
  );
  return {
    commands: async () => (await import('./commandSet.ts')).commandSet(parts, answers, kept, tables),
    answers,
    payloadLanguage: loadOnce(async () => {
      const { payloadLanguage } = await import('./payloads/payloadLanguage.ts');
      return payloadLanguage(parts);
    }),
    openAnswer: async (id) => {
      const run = history.all().find((one) => one.id === id);
      if (run === undefined) throw new UserError(t('This run is no longer kept.'));
      await vscode.window.showTextDocument(answers.uri(id, runTitle(run)));
    },
    erase: async () => {
      const { AnswerFiles } = await import('../../client/answers/answerFiles.ts');
      await history.erase();
      await parts.payloads.store.erase();
      await new AnswerFiles(storage.fsPath).erase();
      await kept.erase();
    },
    leave: async () => {
      await Promise.all([history.leave(), kept.written()]);
    },
    dispose: () => void owned.dispose(),
  };
}
