import * as vscode from 'vscode';
import { commandIds } from '../../contract/commands.ts';
import type { MadeDelivery } from '../../deliveries/listenerProtocol.ts';
import { accountOf, needsToken, refusalText, refusedStatus, type Run } from '../../service/runs/run.ts';
import { bytesText } from '../../shared/text/bytesText.ts';
import { isSuccess } from '../../shared/http/isSuccess.ts';
import { t } from '../../shared/text/l10n.ts';
import { mendedBy, UserError } from '../../shared/text/userError.ts';
import { clicked } from '../kit/commands.ts';
import { cancellableProgress, showBriefly } from '../kit/progress.ts';
import type { Listener } from '../listener/feature.ts';
import type { RunAnswers } from './answers/runAnswers.ts';

export interface DeliverHereParts {
  answers: Pick<RunAnswers, 'find' | 'bytes'>;
  listener: { readonly sender: Pick<Listener['sender'], 'deliverHere'> };
}

/**
 * Makes the delivery of a run from its kept response, and has it delivered to the listener.
 * @throws UserError if the service would deliver nothing, or not all of the response is kept
 */
export async function deliverHere({ answers, listener }: DeliverHereParts, run: Run): Promise<MadeDelivery> {
  const { id, runId, input, outcome } = run;
  const remedies = [{ kind: 'runAgain', id }] as const;
  if (outcome.kind === 'running') throw new UserError(t('The response of this run has not arrived yet.'));
  if (outcome.kind !== 'answered') {
    throw new UserError(t('This run has no complete response to make a delivery from.'), {
      remedies,
    });
  }
  if (refusedStatus(run) !== undefined) {
    throw mendedBy(
      new UserError(refusalText(run) ?? ''),
      needsToken(run) ? [{ kind: 'setToken', ...accountOf(run) }, ...remedies] : remedies,
      // Another token does not mend the run that was refused.
      async () => vscode.commands.executeCommand(commandIds.runAgain, ...clicked({ id })),
    );
  }
  const { body } = await answers.find(run);
  const bytes = await answers.bytes(run);
  if (bytes.length < (body?.bytes ?? 0)) {
    throw new UserError(
      t(
        'Only the first {0} of the response are kept: no delivery can be made from them.',
        bytesText(bytes.length),
      ),
      { remedies },
    );
  }
  const { projectId, appName } = input;
  const made = {
    ...{ run: id, projectId, appName, body: Buffer.from(bytes).toString('base64') },
    ...(runId !== undefined && { runId }),
  };
  return cancellableProgress(t('Delivering here'), (signal) => listener.sender.deliverHere(made, signal));
}

/** Shows in the status bar whether the listener took it. What your handler makes of it is in its row. @returns its argument */
export function tellDeliveredHere(made: MadeDelivery): MadeDelivery {
  const { length } = made.attempts;
  const { status = 0, error } = made.attempts.at(-1) ?? {};
  const done = length === 1 ? t('Delivered here.') : t('Delivered here at attempt {0}.', length);
  const failed =
    error === undefined
      ? t('Not delivered here: the listener returned {0}.', status)
      : t('Not delivered here: {0}.', error);
  showBriefly(isSuccess(status) ? done : failed);
  return made;
}
