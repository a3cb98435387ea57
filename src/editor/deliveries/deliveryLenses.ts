import * as vscode from 'vscode';
import type { Delivery } from '../../model/deliveries/delivery.ts';
import { judgementText, markOf } from '../../model/deliveries/outcomeText.ts';
import { t } from '../../model/text/l10n.ts';
import { plainText } from '../../model/text/plainText.ts';
import { commandIds, schemes } from '../ids.ts';
import type { Listener } from '../listener/feature.ts';
import { shownIn } from './deliveryFiles.ts';

/** The links at the top of a delivery's document: what became of it, and what can be done with it. */
export class DeliveryLenses implements vscode.CodeLensProvider, vscode.Disposable {
  readonly #listener: Listener;
  readonly #changed = new vscode.EventEmitter<void>();
  readonly onDidChangeCodeLenses = this.#changed.event;
  readonly #subscriptions: readonly { dispose(): unknown }[];

  constructor(listener: Listener) {
    this.#listener = listener;
    this.#subscriptions = [
      this.#changed,
      listener.onDidChangeDelivery(({ id }) => this.#tellOf(id)),
      vscode.languages.registerCodeLensProvider({ scheme: schemes.delivery, pattern: '**/delivery/*' }, this),
    ];
  }

  async provideCodeLenses({ uri }: vscode.TextDocument): Promise<vscode.CodeLens[]> {
    const shown = shownIn(uri);
    if (shown?.part !== 'delivery') return [];
    // One that is no longer kept has nothing that could be done with it.
    const delivery = await this.#listener.get(shown.id).catch(() => undefined);
    return delivery === undefined ? [] : lensesOf(delivery);
  }

  dispose(): void {
    for (const one of this.#subscriptions) one.dispose();
  }

  /** The editor asks for the links of all documents then: not for each delivery of a burst that nobody looks at. */
  #tellOf(id: string): void {
    const isOpen = vscode.workspace.textDocuments.some(({ uri }) => shownIn(uri)?.id === id);
    if (isOpen) this.#changed.fire();
  }
}

function lensesOf(delivery: Delivery): vscode.CodeLens[] {
  const top = new vscode.Range(0, 0, 0, 0);
  // As a row of the view hands it over: what is asked there is asked here.
  const given = [{ argument: { id: delivery.id } }];
  const lens = (command: string, title: string) =>
    new vscode.CodeLens(top, { command, title, arguments: given });
  // Without a command it is words alone: there is nothing to explain.
  const explains = markOf(delivery) === 'verified' ? '' : commandIds.explainDelivery;
  return [
    lens(explains, plainText(judgementText(delivery), 200)),
    lens(commandIds.replayDelivery, t('Replay')),
    lens(commandIds.explainDelivery, t('Explain')),
    lens(commandIds.compareWithPrevious, t('Compare with Previous…')),
    lens(commandIds.copyDeliveryAsCurl, t('Copy as cURL')),
  ];
}
