import * as vscode from 'vscode';
import { comparedDocument } from '../../deliveries/comparedDelivery.ts';
import { wholeDelivery } from '../../deliveries/keptDelivery.ts';
import { madeDifferences } from '../../deliveries/madeDifferences.ts';
import { type Run, runTitle } from '../../service/runs/run.ts';
import { t } from '../../shared/text/l10n.ts';
import { plainText } from '../../shared/text/plainText.ts';
import { comparedUri } from '../deliveries/feature.ts';
import type { Prompts } from '../kit/prompts.ts';
import type { Listener } from '../listener/feature.ts';
import { type AnswerDocuments, answerAddresses } from './answers/answerDocument.ts';
import type { RunAnswers } from './answers/runAnswers.ts';

interface FirstDeliveryParts {
  answers: RunAnswers;
  documents: AnswerDocuments;
  listener: Pick<Listener, 'whole' | 'secrets'>;
  prompts: Prompts;
}

/**
 * Compares the delivery of a run that the service has sent with the one that *Deliver Here* would have made of the
 * response: what that looks like is not documented. Tells a difference, and shows it to who asks.
 * @param id of the delivery
 * @throws UserError if response or delivery is not kept
 */
export async function compareFirst(
  { answers, documents, listener, prompts }: FirstDeliveryParts,
  run: Run,
  id: string,
): Promise<void> {
  const { body } = await answers.find(run);
  const bytes = Buffer.from(await answers.bytes(run));
  // Deliver Here makes none of it.
  if (bytes.length < (body?.bytes ?? 0)) return;
  const sent = await listener.whole(id);
  const differences = madeDifferences(bytes.toString(), sent);
  if (differences.length === 0) return;
  const names = differences.map((one) => (one.startsWith('$') ? one : t('header {0}', one)));
  const shown = names.slice(0, 3).join(', ') + (differences.length > 3 ? ', …' : '');
  const compare = t('Compare');
  const message = t(
    "The service's delivery of {0} differs from what Deliver Here makes of its response: {1}",
    plainText(run.input.appName),
    plainText(shown, 200),
  );
  if ((await prompts.tell(message, [compare], 'warning')) !== compare) return;
  const secrets = (await listener.secrets()).map(({ secret }) => secret);
  // What differs each time, or by the way, is no difference.
  const headers = Object.entries(sent.headers)
    .filter(([name]) => !differences.includes(name))
    .concat([['content-type', 'application/json']]);
  const made = wholeDelivery({ ...sent, headers: Object.fromEntries(headers) }, bytes);
  const text = comparedDocument(made, sent, secrets);
  const uri = answerAddresses.uri({
    id: run.id,
    part: 'made',
    title: `${t('{0}, made here', runTitle(run))}.json`,
  });
  documents.set(uri, () => ({ text, lenses: [] }));
  const title = t('{0}: made here ↔ sent by the service', plainText(runTitle(run)));
  await vscode.commands.executeCommand('vscode.diff', uri, comparedUri(sent, sent), title);
}
