import * as vscode from 'vscode';
import type { LazyFiles } from '../activation/lazyFiles.ts';
import type { LazyView } from '../activation/lazyView.ts';
import type { Provides } from '../commands.ts';
import type { Listener } from '../listener/listener.ts';
import type { Log } from '../log.ts';
import type { Prompts } from '../prompts/prompts.ts';
import { DeliveriesView } from './view/deliveriesView.ts';
import type { DeliveryNode } from './view/deliveriesTree.ts';
import { DeliveryFiles } from './deliveryFiles.ts';
import type { Explains } from './explanation/lazyExplainer.ts';
import { HiddenSignatures } from './explanation/hiddenSignatures.ts';

export interface DeliveriesFeature {
  context: vscode.ExtensionContext;
  rows: LazyView<DeliveryNode>;
  files: LazyFiles;
  listener: Listener;
  explainer: Explains;
  prompts: Prompts;
  log: Log;
}

/** The *Deliveries* view, the documents of deliveries and what can be done with a kept delivery. */
export function registerDeliveries(feature: DeliveriesFeature): Provides<'deliveries'> {
  const { listener, explainer, rows, log } = feature;
  const view = new DeliveriesView(listener, rows, log);
  const hidden = new HiddenSignatures(explainer);
  const files = new DeliveryFiles(listener, explainer);
  feature.files.fill(files);
  const owned = vscode.Disposable.from(view, hidden, files);
  return {
    commands: async () => (await import('./commandSet.ts')).commandSet(feature, view, hidden),
    dispose: () => void owned.dispose(),
  };
}
