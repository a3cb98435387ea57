import * as vscode from 'vscode';
import { loadOnce } from '../../shared/async/loadOnce.ts';
import type { Provides } from '../kit/commands.ts';
import { DeliveriesView } from './view/deliveriesView.ts';
import type { DeliveriesFeature } from './commandSet.ts';
import { DeliveryFiles } from './deliveryFiles.ts';
import { DeliveryLenses } from './deliveryLenses.ts';
import { DraftSaver } from './drafts/draftSaver.ts';
import { DraftStore } from './drafts/draftStore.ts';
import { lookBadge } from './view/lookBadge.ts';

export type { Explainer } from './explanation/explainer.ts';
export { pickDelivery } from './view/pickDelivery.ts';
export { type FixtureAnswer, fixtureSentText, tellReplayed } from './tellSent.ts';
export { comparedUri } from './deliveryUri.ts';
export { isOfDependency, listFixtures, openFixture } from './fixtures/fixtureFiles.ts';
export { signingSecret } from './fixtures/signingSecret.ts';

/** The user interface of deliveries. */
export interface Deliveries extends Provides<'deliveries'> {
  /** Restores explanation panels; the editor asks for it through the serializer that activation registers. */
  explanations(): Promise<vscode.WebviewPanelSerializer>;
  /** Removes all drafts. */
  erase(): Promise<void>;
  /** Stores what was typed last: the window is closing. */
  leave(): Promise<void>;
}

/** Registers the *Deliveries* view, the documents of deliveries and the commands for kept deliveries. */
export function registerDeliveries(feature: DeliveriesFeature): Deliveries {
  const { context, listener, explainer, rows, errors, log } = feature;
  const view = new DeliveriesView(listener, rows, errors, context.workspaceState);
  const drafts = new DraftStore(context.storageUri ?? context.globalStorageUri);
  const files = new DeliveryFiles(listener, drafts);
  feature.files.fill(files);
  const lenses = new DeliveryLenses(listener);
  const badge = lookBadge(rows.view, listener);
  const saver = new DraftSaver(drafts, log);
  const owned = vscode.Disposable.from(view, badge, files, lenses, saver);
  const panels = loadOnce(async () => {
    const { ExplanationPanels } = await import('./explanation/explanationPanels.ts');
    const made = new ExplanationPanels(explainer, { extensionUri: context.extensionUri, log });
    context.subscriptions.push(made);
    return made;
  });
  return {
    commands: async () => (await import('./commandSet.ts')).commandSet(feature, view, await panels(), drafts),
    explanations: async () => (await panels()).pages,
    erase: () => drafts.erase(),
    leave: () => saver.leave(),
    dispose: () => void owned.dispose(),
  };
}
