import * as vscode from 'vscode';
import { type CommandId, commandIds } from '../ids.ts';
import { DeliveriesView } from './view/deliveriesView.ts';
import { DeliveryFiles } from './deliveryFiles.ts';
import { HiddenSignatures } from './explanation/hiddenSignatures.ts';
import type { DeliveriesFeature } from './commandSet.ts';

export type { Explainer } from './explanation/explainer.ts';

const commandSet: readonly CommandId[] = [
  commandIds.listDeliveries,
  commandIds.openDelivery,
  commandIds.openDeliveryBody,
  commandIds.explainDelivery,
  commandIds.copyDeliveryAsCurl,
  commandIds.saveDeliveryAsFixture,
  commandIds.clearDeliveries,
  commandIds.askToClearDeliveries,
  commandIds.replayDelivery,
  commandIds.replayDeliveries,
  commandIds.sendTestDelivery,
  commandIds.sendFixture,
  commandIds.filterDeliveries,
  commandIds.clearDeliveryFilter,
  commandIds.loadMoreDeliveries,
  commandIds.verifySignature,
  commandIds.insertVerificationCode,
  commandIds.showExpectedSignature,
];

/** The *Deliveries* view, the documents of deliveries and what can be done with a kept delivery. */
export function registerDeliveries(feature: DeliveriesFeature): vscode.Disposable {
  const { commands, listener, explainer, log } = feature;
  const view = new DeliveriesView(listener, log);
  const hidden = new HiddenSignatures(explainer);
  commands.registerLazily(commandSet, async () => {
    const { registerCommandSet } = await import('./commandSet.ts');
    return () => registerCommandSet(feature, view, hidden);
  });
  return vscode.Disposable.from(view, hidden, new DeliveryFiles(listener, explainer));
}
