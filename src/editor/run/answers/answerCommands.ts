import * as v from 'valibot';
import * as vscode from 'vscode';
import { type Run, runTitle } from '../../../model/runs/run.ts';
import { t } from '../../../model/text/l10n.ts';
import { plainText } from '../../../model/text/plainText.ts';
import { UserError } from '../../../model/text/userError.ts';
import { command } from '../../commands.ts';
import { commandIds } from '../../ids.ts';
import { DeclinedError } from '../../prompts/declinedError.ts';
import type { Prompts } from '../../prompts/prompts.ts';
import type { RunHistory } from '../history/runHistory.ts';
import type { RunChoices } from '../runChoices.ts';
import type { AnswerDocuments } from './answerDocuments.ts';
import { answerAddresses } from './answerUri.ts';
import type { AnswerSaver } from './answerSaver.ts';
import type { RunAnswers } from './runAnswers.ts';

export interface AnswerCommandsParts {
  prompts: Prompts;
  choices: RunChoices;
  history: RunHistory;
  answers: RunAnswers;
  documents: AnswerDocuments;
  saver: AnswerSaver;
}

const text = v.exactOptional(v.string());
const confirmed = v.exactOptional(v.boolean());
const oneRun = v.object({ id: text });

/** The commands for answered runs. Those for one run take the run with the given id, else the last run. */
export function answerCommands(parts: AnswerCommandsParts) {
  const { prompts, choices, history, answers, documents, saver } = parts;

  async function compare(run: Run): Promise<{ ids: string[] }> {
    await answers.find(run);
    const previous = await answers.previous(run);
    const uris = [previous, run].map((one) =>
      answerAddresses.uri({ id: one.id, part: 'body', title: runTitle(one), first: previous.id }),
    );
    const title = `${titleOf(previous)} ↔ ${titleOf(run)}`;
    await vscode.commands.executeCommand('vscode.diff', ...uris, title);
    return { ids: [previous.id, run.id] };
  }

  return {
    [commandIds.openRunAnswer]: command(oneRun, (given) =>
      openAnswer(answers.run(given?.id), answers, documents),
    ),

    [commandIds.openPayloadAndAnswer]: command(oneRun, async (given) => {
      const run = answers.run(given?.id);
      await answers.find(run);
      const title = t('Payload of {0}', runTitle(run));
      const { Active, Beside } = vscode.ViewColumn;
      const payload = answerAddresses.uri({ id: run.id, part: 'payload', title: `${title}.json` });
      await vscode.window.showTextDocument(payload, { viewColumn: Active, preview: false });
      await openAnswer(run, answers, documents, Beside);
    }),

    [commandIds.compareWithPreviousRun]: command(oneRun, (given) => compare(answers.run(given?.id))),

    [commandIds.saveAnswerAs]: command(v.object({ ...oneRun.entries, to: text, confirmed }), (given = {}) =>
      saver.save(answers.run(given.id), given),
    ),

    [commandIds.clearRuns]: command(
      v.object({ projectId: text, appName: text, confirmed }),
      async (given = {}) => {
        const app = await choices.app(given);
        if (app === undefined) throw new DeclinedError(t('Nothing was removed.'));
        const count = history.list(app).filter(({ outcome }) => outcome.kind !== 'running').length;
        const name = plainText(app.appName);
        if (count === 0) throw new UserError(t('{0} has no runs to remove.', name));
        const question =
          count === 1 ? t('Remove the run of {0}?', name) : t('Remove the {0} runs of {1}?', count, name);
        const detail = t(
          'Their answers are deleted from this machine and cannot be brought back. Deliveries and payloads stay.',
        );
        if (given.confirmed !== true && !(await prompts.confirm(question, detail, t('Remove')))) {
          throw new DeclinedError(t('Nothing was removed.'));
        }
        return { cleared: await answers.clear(app) };
      },
    ),
  };
}

/** Shows the answer of a run. @throws UserError if it is no longer kept */
export async function openAnswer(
  run: Run,
  answers: RunAnswers,
  documents: AnswerDocuments,
  viewColumn = vscode.ViewColumn.Active,
): Promise<void> {
  const uri = documents.uri(run.id, runTitle(run));
  // An answer that could not be kept may still be shown.
  if (!documents.has(uri)) await answers.find(run);
  const preserveFocus = viewColumn === vscode.ViewColumn.Beside;
  await vscode.window.showTextDocument(uri, { viewColumn, preserveFocus, preview: true });
}

function titleOf(run: Run): string {
  const { outcome } = run;
  const status = outcome.kind === 'answered' ? ` · ${outcome.status}` : '';
  return `${plainText(runTitle(run))}${status}`;
}
