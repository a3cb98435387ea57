import * as vscode from 'vscode';
import { commandIds } from '../../contract/commands.ts';
import type { Attempt, Delivery } from '../../contract/delivery.ts';
import { isCancelled, isEdited, previousAttempt } from '../../deliveries/keptDelivery.ts';
import { isTaken } from '../../deliveries/forwardText.ts';
import { handlerText, outcomeIcon, outcomeOf, outcomeTitle } from '../../deliveries/outcomeText.ts';
import { t } from '../../shared/text/l10n.ts';
import { clicked } from '../kit/commands.ts';
import { schemes } from '../kit/ids.ts';
import { joined } from '../kit/tree.ts';
import { topLens } from '../kit/topLens.ts';
import type { Listener } from '../listener/feature.ts';
import { shownIn } from './deliveryUri.ts';

const documents = ['delivery', 'draft', 'response'].map((part) => ({
  scheme: schemes.delivery,
  pattern: `**/${part}/*`,
}));

/** The code lenses at the top of a delivery's document, its draft and the responses to it. */
export class DeliveryLenses implements vscode.CodeLensProvider, vscode.Disposable {
  readonly #listener: Listener;
  readonly #changed = new vscode.EventEmitter<void>();
  readonly onDidChangeCodeLenses = this.#changed.event;
  readonly #subscriptions: readonly { dispose(): unknown }[];

  constructor(listener: Listener) {
    this.#listener = listener;
    this.#subscriptions = [
      this.#changed,
      listener.onDidChangeDelivery(({ id }) => this.#refreshFor(id)),
      listener.onDidClear(() => this.#changed.fire()),
      vscode.languages.registerCodeLensProvider(documents, this),
    ];
  }

  async provideCodeLenses(document: vscode.TextDocument): Promise<vscode.CodeLens[]> {
    const shown = shownIn(document.uri);
    if (shown?.part !== 'draft' && shown?.part !== 'delivery' && shown?.part !== 'response') return [];
    const delivery = await this.#listener.get(shown.id).catch(() => undefined);
    if (shown.part === 'draft') return lensesOfDraft(shown.id, isSkippedAgain(document.getText(), delivery));
    // No command applies to a delivery that is no longer kept.
    if (delivery === undefined) return [];
    return shown.part === 'response' ? lensesOfAnswer(delivery, shown.of) : lensesOf(delivery);
  }

  dispose(): void {
    for (const one of this.#subscriptions) one.dispose();
  }

  /**
   * Refreshes the lenses if a document of the delivery is open. The editor then asks for the lenses of all documents,
   * which is too much for each delivery of a burst that nobody looks at.
   */
  #refreshFor(id: string): void {
    const isOpen = vscode.workspace.textDocuments.some(({ uri }) => shownIn(uri)?.id === id);
    if (isOpen) this.#changed.fire();
  }
}

function lensesOf(delivery: Delivery): vscode.CodeLens[] {
  const lens = lensesFor(delivery.id);
  const { title, tooltip } = outcomeTitle(delivery);
  const said = joined(' · ', title, delivery.repeatOf !== undefined && t('repeat'));
  return [
    lens(reasonCommand(delivery), `$(${outcomeIcon(delivery).icon}) ${said}`, tooltip),
    lens(commandIds.replayDelivery, `$(debug-restart) ${t('Replay')}`),
    lens(commandIds.explainDelivery, `$(question) ${t('Explain')}`),
    outcomeOf(delivery) === 'failed'
      ? debugLens(delivery.id)
      : lens(commandIds.editDelivery, `$(edit) ${t('Edit and Replay')}`),
  ];
}

/** The document says the outcome itself. Where the last attempt failed, its reason comes first. */
function lensesOfAnswer(delivery: Delivery, at: string | undefined): vscode.CodeLens[] {
  const { id, attempts = [] } = delivery;
  const lens = lensesFor(id);
  const index = attempts.findLastIndex((attempt) => attempt.at === at);
  const attempt = attempts[index];
  const wasEdited = attempt !== undefined && isEdited(attempt);
  const newest = attempts.findLastIndex((one) => isEdited(one) === wasEdited && !isCancelled(one));
  const newer = attempts[newest > index ? newest : -1];
  const isLast = newer === undefined;
  const isAnswered = attempt?.status !== undefined;
  const elsewhere = topLens(commandIds.setForwardTo, `$(arrow-right) ${t('Forward to…')}`, []);
  const explain = lens(commandIds.explainDelivery, `$(question) ${t('Explain')}`);
  const next = wasEdited
    ? [
        // The draft has what was edited last.
        ...(isLast ? [lens(commandIds.editDelivery, `$(edit) ${t('Edit and Replay')}`)] : []),
        ...(isAnswered ? [] : [elsewhere]),
      ]
    : [
        ...(isLast && attempt !== undefined && !isTaken(attempt)
          ? [explain, isAnswered ? debugLens(id) : elsewhere]
          : []),
        lens(commandIds.replayDelivery, `$(debug-restart) ${t('Replay')}`),
      ];
  return [
    ...(isLast ? [] : [newerLens(id, newer)]),
    ...next,
    previousAttempt(attempts, index) === undefined
      ? lens(commandIds.openDelivery, `$(go-to-file) ${t('Open Delivery')}`)
      : topLens(commandIds.compareResponses, `$(diff) ${t('Compare with Previous')}`, clicked({ id, at })),
  ];
}

/** Leads from the response of an earlier attempt to that of the newest one. */
function newerLens(id: string, attempt: Attempt): vscode.CodeLens {
  const { at, status = handlerText(attempt, true) } = attempt;
  const title = `$(arrow-right) ${t('Newer response: {0}', status)}`;
  return topLens(commandIds.openAppAnswer, title, clicked({ id, at }));
}

function debugLens(id: string): vscode.CodeLens {
  return lensesFor(id)(commandIds.debugDelivery, `$(debug-alt) ${t('Debug')}`);
}

/** The command that leads to why the outcome is what it is; empty, which makes a text, if there is nothing to say. */
function reasonCommand(delivery: Delivery): string {
  switch (outcomeOf(delivery)) {
    case 'verified':
    case 'waiting':
      return '';
    case 'failed':
      return delivery.forward?.status === undefined ? commandIds.explainDelivery : commandIds.openAppAnswer;
    default:
      return commandIds.explainDelivery;
  }
}

/** Whether a handler that works once for each request id has nothing to do for a draft: it took the delivery before. */
function isSkippedAgain(draft: string, { requestId, forward }: Partial<Delivery> = {}): boolean {
  return requestId !== undefined && forward !== undefined && isTaken(forward) && draft.includes(requestId);
}

function lensesOfDraft(id: string, isSkipped: boolean): vscode.CodeLens[] {
  const lens = lensesFor(id);
  return [
    ...(isSkipped ? [lens('', `$(info) ${t('Your handler has accepted this X-Request-Id')}`)] : []),
    lens(commandIds.sendDraftSigned, `$(send) ${t('Send, Signed Now')}`),
    lens(commandIds.sendDraftUnsigned, `$(unlock) ${t('Send Unsigned')}`),
    lens(commandIds.saveDraftAsFixture, `$(save-as) ${t('Save as Fixture…')}`),
    topLens(commandIds.editDelivery, `$(discard) ${t('Start Over')}`, clicked({ id, startOver: true })),
  ];
}

/** Makes lenses that pass the delivery like a row of the view does, so that commands ask the same questions. */
function lensesFor(id: string): (command: string, title: string, tooltip?: string) => vscode.CodeLens {
  const given = clicked({ id });
  return (command, title, tooltip) => topLens(command, title, given, tooltip);
}
