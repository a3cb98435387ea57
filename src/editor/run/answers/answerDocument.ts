import * as vscode from 'vscode';
import { commandIds } from '../../../contract/commands.ts';
import { columnOf } from '../../kit/showDocument.ts';
import { contextIds, schemes } from '../../kit/ids.ts';
import {
  type Addresses,
  addresses,
  type Content,
  documentBytes,
  type FileDocuments,
  MarkedDocuments,
} from '../../kit/documents.ts';
import { t } from '../../../shared/text/l10n.ts';
import { clicked } from '../../kit/commands.ts';
import { openSettings } from '../../kit/openSettings.ts';
import { topLens } from '../../kit/topLens.ts';
import {
  type AnswerState,
  isGrowing,
  isLate,
  isPageInstead,
  redirectOfRun,
  runAnswerText,
} from './answerText.ts';
import { bytesText } from '../../../shared/text/bytesText.ts';
import { durationText } from '../../../shared/text/durationText.ts';
import {
  isUndelivered,
  keptDeliveryOf,
  needsToken,
  refusedStatus,
  type Run,
  type RunDelivery,
  runTitle,
} from '../../../service/runs/run.ts';
import { outcomeIcon, outcomeOf, outcomeTitle } from '../../../deliveries/outcomeText.ts';
import { addressesRemedy } from '../../../service/endpoints.ts';
import { deniesAccess } from '../../../service/errorMessage.ts';
import { judgedText } from '../../../deliveries/verdictText.ts';

/** What the address of a run's document says. */
export interface AskedAnswer {
  /** The id of the run. */
  id: string;
  /** The answer and outcome, the payload, only the body, to compare it, or the delivery that would be made of it. */
  part: 'response' | 'payload' | 'body' | 'made';
  /** The title of the tab. */
  title: string;
  /** The id of the run whose key order the body is shown in. */
  first?: string;
}

export const answerPattern = '/runhook/{part}/{title}?{id}&{first}';

export const answerAddresses = addresses<AskedAnswer>(schemes.answer, answerPattern);

/** What a document was asked to show. Addresses of earlier versions have no part and refer to answers. */
export function askedOf(uri: vscode.Uri, from: Addresses<AskedAnswer> = answerAddresses): AskedAnswer {
  const { id = '', part = 'response', title = '', ...more } = from.argument(uri) ?? {};
  return { id, part, title, ...more };
}

/** The content of an answer's document. The code that makes the run keeps it up to date. */
export interface AnswerContent {
  text: string;
  /** The response is no longer kept: there is nothing to compare or to save. */
  isRemoved?: true;
  lenses: readonly vscode.Command[];
}

/**
 * The shortest time between two updates of an answer, in milliseconds. The editor asks for links once text and links
 * have not changed for 250 ms: with a shorter time, *Cancel* would never show on a streaming answer.
 */
const showEveryMs = 500;
/** A long answer waits 1 ms more per this many UTF-16 units, so that the editor has time for other things. */
const unitsPerMs = 1000;
/** How many answers with closed documents are held in memory; older ones are dropped. */
const keepClosed = 10;

/** How much of a refusal is searched for its reason, in characters. */
const searchedReason = 2000;

/** The content of a document. Built only when the editor reads it, because a streaming answer changes more often. */
interface Shown {
  make: () => AnswerContent;
  made?: AnswerContent;
  changedAt: number;
  /** The text that the editor was last notified of. */
  told?: string;
}

/**
 * The read-only documents of answers, as files, so that their tabs are restored after a reload. An app's answer
 * is shown as plain text only.
 */
export class AnswerDocuments implements FileDocuments, vscode.CodeLensProvider, vscode.Disposable {
  readonly #find: (asked: AskedAnswer) => Promise<AnswerContent>;
  readonly #addresses: Addresses<AskedAnswer>;
  readonly #contents = new Map<string, Shown>();
  /** The documents loaded with `#find`, by URI. Only `renew` keeps them up to date. */
  readonly #found = new Map<string, vscode.Uri>();
  /** The last renewal of each that is under way. */
  readonly #renewing = new Map<string, symbol>();
  readonly #pending = new Map<string, NodeJS.Timeout>();
  readonly #removed = new MarkedDocuments(contextIds.removedResponses);
  readonly #textChanged = new vscode.EventEmitter<readonly vscode.Uri[]>();
  readonly #lensesChanged = new vscode.EventEmitter<void>();
  // Must be set before the registration, which reads it at once.
  readonly onDidChange = this.#textChanged.event;
  readonly onDidChangeCodeLenses = this.#lensesChanged.event;
  readonly #registered: vscode.Disposable;

  /** @param find loads the kept content of a document, such as one whose tab was restored after a reload */
  constructor(
    find: (asked: AskedAnswer) => Promise<AnswerContent>,
    ofDocuments: Addresses<AskedAnswer> = answerAddresses,
  ) {
    this.#find = find;
    this.#addresses = ofDocuments;
    const { scheme } = ofDocuments;
    this.#registered = vscode.Disposable.from(
      vscode.languages.registerCodeLensProvider({ scheme }, this),
      // A change event during the opening of a document is lost: a quick answer would not be shown.
      vscode.workspace.onDidOpenTextDocument(({ uri }) => {
        if (uri.scheme === scheme) this.#notifyChanged(uri);
      }),
      vscode.workspace.onDidChangeTextDocument((change) => {
        if (change.document.uri.scheme === scheme) keepPlaces(change);
      }),
      this.#textChanged,
      this.#lensesChanged,
    );
  }

  /** The title tells its tab from that of its delivery. */
  uri(run: Run): vscode.Uri {
    return this.#addresses.uri({ id: run.id, part: 'response', title: t('Response of {0}', runTitle(run)) });
  }

  /** Whether the answer of a run is in memory: it is open, or was closed recently. */
  has(uri: vscode.Uri): boolean {
    return this.#contents.has(uri.toString());
  }

  /** @param make builds the content when the editor reads the document */
  set(uri: vscode.Uri, make: () => AnswerContent): void {
    const key = uri.toString();
    const shown = this.#cache(key, make);
    if (this.#pending.has(key)) return;
    const show = (): void => {
      this.#pending.delete(key);
      const current = this.#contents.get(key);
      if (current !== undefined && this.#hasNewText(current)) this.#notifyChanged(uri);
      this.#lensesChanged.fire();
    };
    const length = shown.told?.length ?? 0;
    this.#pending.set(key, setTimeout(show, showEveryMs + length / unitsPerMs));
  }

  /** Updates the documents of a changed run that `#find` loaded. A run in flight updates its own document. */
  async renew(id: string): Promise<void> {
    for (const [key, uri] of this.#found) {
      const asked = askedOf(uri, this.#addresses);
      if (asked.id !== id) continue;
      const turn = Symbol(id);
      this.#renewing.set(key, turn);
      const content = await this.#find(asked);
      // What was asked for before it may come after it, and is older.
      if (this.#renewing.get(key) !== turn) continue;
      this.#renewing.delete(key);
      this.set(uri, () => content);
    }
  }

  async read(uri: vscode.Uri): Promise<Content> {
    const { text, changedAt } = await this.#content(uri);
    return { bytes: documentBytes(uri, text), ctime: 0, mtime: changedAt };
  }

  async provideCodeLenses({ uri }: vscode.TextDocument): Promise<vscode.CodeLens[]> {
    const { lenses } = await this.#content(uri);
    return lenses.map(({ command, title, arguments: given = [] }) => topLens(command, title, given));
  }

  dispose(): void {
    for (const timer of this.#pending.values()) clearTimeout(timer);
    this.#registered.dispose();
  }

  async #content(uri: vscode.Uri): Promise<AnswerContent & { changedAt: number }> {
    const key = uri.toString();
    let shown = this.#contents.get(key);
    if (shown === undefined) {
      // First: what changes while it is read is renewed.
      this.#found.set(key, uri);
      const found = await this.#find(askedOf(uri, this.#addresses));
      shown = this.#contents.get(key) ?? this.#cache(key, () => found);
    }
    const content = contentOf(shown);
    if (content.isRemoved === true) this.#removed.mark(key);
    return { ...content, changedAt: shown.changedAt };
  }

  #cache(key: string, make: () => AnswerContent): Shown {
    const previous = this.#contents.get(key);
    // The editor reads a file again only if its modification time has increased.
    const changedAt = Math.max(Date.now(), (previous?.changedAt ?? 0) + 1);
    const shown: Shown = { make, changedAt, ...(previous?.told !== undefined && { told: previous.told }) };
    this.#contents.set(key, shown);
    if (previous === undefined) this.#dropClosed();
    return shown;
  }

  /** Whether the text has changed. A long streaming answer changes only its lenses: the text is not read again. */
  #hasNewText(shown: Shown): boolean {
    const { text } = contentOf(shown);
    const isNew = text !== shown.told;
    shown.told = text;
    return isNew;
  }

  #notifyChanged(uri: vscode.Uri): void {
    this.#textChanged.fire([uri]);
  }

  #dropClosed(): void {
    const open = new Set(vscode.workspace.textDocuments.map(({ uri }) => uri.toString()));
    const closed = [...this.#contents.keys()].filter((key) => !open.has(key));
    for (const key of closed.slice(0, -keepClosed)) {
      this.#contents.delete(key);
      this.#found.delete(key);
    }
  }
}

/** The column that shows the response of a run, of whichever. */
export function answersColumn(): vscode.ViewColumn | undefined {
  return columnOf(({ scheme }) => scheme === schemes.answer);
}

/**
 * Leaves the cursor at its line where the text around it has been replaced: the editor takes it to the end of what is new.
 * What it says of the selection is from before the change at that moment.
 */
function keepPlaces({ document, contentChanges }: vscode.TextDocumentChangeEvent): void {
  for (const editor of vscode.window.visibleTextEditors) {
    const { selection } = editor;
    const isReplaced = contentChanges.some(
      ({ range }) => range.contains(selection.active) && selection.active.isBefore(range.end),
    );
    if (editor.document === document && isReplaced) editor.selection = selection;
  }
}

function contentOf(shown: Shown): AnswerContent {
  if (shown.made === undefined) {
    const made = shown.make();
    // The editor treats a file with a NUL character as binary.
    shown.made = { ...made, text: made.text.replaceAll('\0', '␀') };
  }
  return shown.made;
}

/** @param run is still kept, so that it can be run again */
export function nothingKept(run?: Run): AnswerContent {
  const title = `$(debug-restart) ${t('Run Again')}`;
  return {
    text: t('This response is no longer kept.'),
    isRemoved: true,
    lenses: run ? [{ title, command: commandIds.runAgain, arguments: clicked({ id: run.id }) }] : [],
  };
}

/** What the document of a run shows. */
export function answerContent(state: AnswerState): AnswerContent {
  return { text: runAnswerText(state), lenses: lenses(state) };
}

/** The links at the top: what it waits for or what came of it, then the next verb, then what else there is. */
function lenses(state: AnswerState): vscode.Command[] {
  const { run, waitingFor, elapsedMs, body, away, wasAway = false } = state;
  const { id } = run;
  const elapsed = durationText(elapsedMs);
  const found: vscode.Command[] = [];
  const add = (command: string, title: string, argument: object = { id }): void => {
    found.push({ command, title, arguments: clicked(argument) });
  };
  if (waitingFor === 'answer') {
    const received = isGrowing(state) ? ` · ${bytesText(body?.bytes ?? 0)}` : '';
    add(commandIds.cancelRun, `$(stop-circle) ${t('Cancel')} · ${elapsed}${received}`);
  }
  if (waitingFor === 'delivery') {
    const waiting = t('Waiting for the delivery, {0}. Stop waiting', elapsed);
    add(commandIds.cancelRun, `$(sync~spin) ${waiting}`);
  }
  const isForbidden = refusedStatus(run) === 403 && !deniesAccess(body?.text.slice(0, searchedReason) ?? '');
  if (needsToken(run) || isForbidden) {
    add(commandIds.setTokenOfRun, `$(key) ${t('Set Token…')}`);
  }
  const { outcome } = run;
  const isUnreached = outcome.kind === 'failed' && outcome.wasSent !== true && outcome.bytes === undefined;
  const isElsewhere = redirectOfRun(state) !== undefined || isPageInstead(state);
  if ((isUnreached && !state.isSandbox) || isElsewhere) {
    found.push(addressLens(state));
  }
  const delivery = keptDeliveryOf(run);
  if (delivery !== undefined) {
    const { command, title } = toReason(delivery);
    add(command, title, { id: delivery.id });
  }
  if (waitingFor === 'answer') return found;
  if (isUndelivered(run) && (waitingFor === 'nothing' || isLate(state) || away !== undefined || wasAway)) {
    add(commandIds.deliverHere, `$(edit) ${t('Deliver Here')}`);
  }
  add(commandIds.runAgain, `$(debug-restart) ${t('Run Again')}`);
  add(commandIds.moreOfRun, '…');
  return found;
}

/** Leads to the addresses that were in force: those of the project, else those of all in the settings. */
function addressLens({ run, isOwnService = false }: AnswerState): vscode.Command {
  if (!isOwnService) return { title: `$(gear) ${t('Open Settings')}`, ...openSettings(addressesRemedy) };
  const title = `$(globe) ${t('Set Address…')}`;
  const given = clicked({ projectId: run.input.projectId });
  return { title, command: commandIds.setProjectAddresses, arguments: given };
}

/** What came of the delivery of a run, and the command that leads to why. */
function toReason(delivery: RunDelivery): { command: string; title: string } {
  const outcome = outcomeOf(delivery);
  // It says whose ✓ it is: the run itself may have failed.
  const isWorse = outcome === 'failed' || outcome === 'setByUser';
  const said = t('Delivery: {0}', isWorse ? outcomeTitle(delivery).title : judgedText(delivery));
  const to = (command: string, verb: string) => ({
    command,
    title: `$(${outcomeIcon(delivery).icon}) ${said} · ${verb}`,
  });
  switch (outcome) {
    case 'failed':
      return delivery.forward?.status === undefined
        ? to(commandIds.explainDelivery, t('Explain'))
        : to(commandIds.openAppAnswer, t('Open Response'));
    case 'verified':
    case 'unsigned':
    case 'waiting':
      return to(commandIds.openDelivery, t('Open'));
    default:
      return to(commandIds.explainDelivery, t('Explain'));
  }
}
