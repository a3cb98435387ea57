import * as vscode from 'vscode';
import type { Delivery } from '../../model/delivery.ts';
import { plainText } from '../../model/plainText.ts';
import { type KnownSecrets, evidenceOf } from '../../webhooks/evidence.ts';
import { explain } from '../../webhooks/explanation.ts';
import { config } from '../config.ts';
import { titleOf, verdictText } from './deliveryItem.ts';

/** Why a delivery verifies or does not, as the text of a document. */
export function explainDelivery(delivery: Delivery, secrets: KnownSecrets): string {
  const { t } = vscode.l10n;
  const received = new Date(delivery.receivedAt).toLocaleString(vscode.env.language);
  const heading = [
    t('Delivery {0}, received {1}', titleOf(delivery), received),
    t('Verdict on arrival: {0}, answered {1}', verdictText(delivery.verdict), delivery.answered),
    ...(delivery.reason === undefined ? [] : [plainText(delivery.reason, 500)]),
  ].join('\n');
  const evidence = evidenceOf(delivery, secrets, config.timestampToleranceSeconds());
  return `${heading}\n\n${explain(evidence, t)}`;
}
