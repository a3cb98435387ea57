import * as vscode from 'vscode';
import { loadOnce } from '../../model/async/loadOnce.ts';
import type { Provides } from '../commands.ts';
import { DeliveriesView } from './view/deliveriesView.ts';
import type { DeliveriesFeature } from './commandSet.ts';
import { DeliveryFiles } from './deliveryFiles.ts';
import { DeliveryLenses } from './deliveryLenses.ts';

export type { Explainer } from './explanation/explainer.ts';

/** What activation has the editor ask for. */
export interface DeliveriesProviders {
  /** The open explanations. */
  explanations(): Promise<vscode.WebviewPanelSerializer>;
}

/** The *Deliveries* view, the documents of deliveries and what can be done with a kept delivery. */
export function registerDeliveries(feature: DeliveriesFeature): Provides<'deliveries'> & DeliveriesProviders {
  const { context, listener, explainer, rows, log } = feature;
  const view = new DeliveriesView(listener, rows, log);
  const files = new DeliveryFiles(listener);
  feature.files.fill(files);
  const owned = vscode.Disposable.from(view, files, new DeliveryLenses(listener));
  const panels = loadOnce(async () => {
    const { ExplanationPanels } = await import('./explanation/explanationPanels.ts');
    const made = new ExplanationPanels(explainer, { extensionUri: context.extensionUri, log });
    context.subscriptions.push(made);
    return made;
  });
  return {
    commands: async () => (await import('./commandSet.ts')).commandSet(feature, view, await panels()),
    explanations: async () => (await panels()).pages,
    dispose: () => void owned.dispose(),
  };
}
