import * as vscode from 'vscode';
import { answeredText } from '../../model/answeredText.ts';
import type { Delivery } from '../../model/delivery.ts';
import { verdictText } from '../../model/verdictText.ts';
import { diagnose } from '../../webhooks/diagnosis.ts';
import type { HeldSecret } from '../../model/webhookSecret.ts';
import { evidenceOf } from '../../webhooks/evidence.ts';
import { explain } from '../../webhooks/explanation.ts';
import { config } from '../config.ts';
import { titleOf } from './deliveryItem.ts';

/** Why a delivery verifies or does not, as the text of a document. */
export function explainDelivery(delivery: Delivery, secrets: readonly HeldSecret[]): string {
  const { t } = vscode.l10n;
  const received = new Date(delivery.receivedAt).toLocaleString(vscode.env.language);
  const heading = [
    t('Delivery {0}, received {1}', titleOf(delivery), received),
    t(
      'Verdict on arrival: {0}, answered {1}',
      verdictText(delivery.verdict, vscode.l10n.t),
      answeredText(delivery.answered),
    ),
  ];
  const evidence = evidenceOf(delivery, secrets, config.timestampToleranceSeconds());
  if (delivery.verdict === 'verified' && diagnose(evidence).kind !== 'verified') {
    heading.push(t('The secret that verified it is no longer kept.'));
  }
  return `${heading.join('\n')}\n\n${explain(evidence, t)}`;
}
