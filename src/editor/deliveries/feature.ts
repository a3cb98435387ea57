import * as vscode from 'vscode';
import type { Provides } from '../commands.ts';
import { DeliveriesView } from './view/deliveriesView.ts';
import type { DeliveriesFeature } from './commandSet.ts';
import { DeliveryFiles } from './deliveryFiles.ts';
import { DeliveryLenses } from './deliveryLenses.ts';
import { HiddenSignatures } from './explanation/hiddenSignatures.ts';

export type { Explainer } from './explanation/explainer.ts';

/** The *Deliveries* view, the documents of deliveries and what can be done with a kept delivery. */
export function registerDeliveries(feature: DeliveriesFeature): Provides<'deliveries'> {
  const { listener, explainer, rows, log } = feature;
  const view = new DeliveriesView(listener, rows, feature.context.globalState, log);
  const hidden = new HiddenSignatures(explainer);
  const files = new DeliveryFiles(listener, explainer);
  feature.files.fill(files);
  const owned = vscode.Disposable.from(view, hidden, files, new DeliveryLenses(listener));
  return {
    commands: async () => (await import('./commandSet.ts')).commandSet(feature, view, hidden),
    dispose: () => void owned.dispose(),
  };
}
