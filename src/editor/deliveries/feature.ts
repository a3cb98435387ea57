import * as vscode from 'vscode';
import type { Provides } from '../commands.ts';
import { DeliveriesView } from './view/deliveriesView.ts';
import type { DeliveriesFeature } from './commandSet.ts';
import { DeliveryFiles } from './deliveryFiles.ts';
import { DeliveryLenses } from './deliveryLenses.ts';
import { DraftSaver } from './drafts/draftSaver.ts';
import { DraftStore } from './drafts/draftStore.ts';
import { lookBadge } from './view/lookBadge.ts';
import { HiddenSignatures } from './explanation/hiddenSignatures.ts';

export type { Explainer } from './explanation/explainer.ts';

/** Deliveries as people see them, until it is disposed of. */
interface Deliveries extends Provides<'deliveries'> {
  /** Removes all drafts. */
  erase(): Promise<void>;
}

/** The *Deliveries* view, the documents of deliveries and what can be done with a kept delivery. */
export function registerDeliveries(feature: DeliveriesFeature): Deliveries {
  const { context, listener, explainer, rows, log } = feature;
  const view = new DeliveriesView(listener, rows, log);
  const hidden = new HiddenSignatures(explainer);
  const drafts = new DraftStore(context.storageUri ?? context.globalStorageUri);
  const files = new DeliveryFiles(listener, explainer, drafts);
  feature.files.fill(files);
  const lenses = new DeliveryLenses(listener);
  const badge = lookBadge(rows.view, listener);
  const owned = vscode.Disposable.from(view, badge, hidden, files, lenses, new DraftSaver(log));
  return {
    commands: async () => (await import('./commandSet.ts')).commandSet(feature, view, hidden, files, drafts),
    erase: () => drafts.erase(),
    dispose: () => void owned.dispose(),
  };
}
