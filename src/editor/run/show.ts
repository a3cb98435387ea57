import * as vscode from 'vscode';
import type { Clock } from '../../shared/async/clock.ts';
import { isExpected, runTitle } from '../../service/runs/run.ts';
import { t } from '../../shared/text/l10n.ts';
import { plainText } from '../../shared/text/plainText.ts';
import { addressesRemedy } from '../../service/endpoints.ts';
import { UnreachableError } from '../../service/client/errors.ts';
import { remediesOf } from '../kit/defaultRemedies.ts';
import { mendedBy, UserError } from '../../shared/text/userError.ts';
import { isGesture, isGestureOnRow } from '../kit/commands.ts';
import { contextIds, schemes, viewIds } from '../kit/ids.ts';
import { type Log, logError } from '../kit/log.ts';
import { DeclinedError, type Prompts } from '../kit/prompts.ts';
import { showDocument } from '../kit/showDocument.ts';
import { answerContent, type AnswerDocuments, answersColumn, nothingKept } from './answers/answerDocument.ts';
import type { AnswerState } from './answers/answerText.ts';
import type { AllowedCall } from './ask.ts';
import { type DeliveryWaitParts, whyItCannotArrive } from '../../deliveries/deliveryWait.ts';
import { awayFrom } from '../../deliveries/listenerState.ts';
import { waitedMs } from './deliveryWaits.ts';
import type { RunHistory } from './history/runHistory.ts';
import type { Call } from './resolve.ts';
import type { RunAppResult, SentCall } from './send.ts';

export interface ShowParts {
  /** Asks whatever has to be asked before a call. */
  allowed: (call: Call) => Promise<AllowedCall>;
  /** @param changed called whenever more of the answer has arrived */
  send: (call: AllowedCall, changed: () => void) => SentCall;
  history: Pick<RunHistory, 'all' | 'isOwn' | 'list' | 'onDidChange' | 'setAwaited'>;
  documents: AnswerDocuments;
  /** The deliveries come to it. */
  listener: Pick<DeliveryWaitParts['listener'], 'state'>;
  clock: Clock;
}

/** Run by a click on the item; internal, so not in package.json. */
const runsMenuCommand = 'runhook.runs.menu';

/**
 * The runs whose answers are shown in the editor. Starts and cancels them. One item in the status bar stands for all
 * that is waited for: a click offers to cancel each of them, or all.
 */
export class ShownRuns implements vscode.Disposable {
  readonly #parts: ShowParts & { log: Log };
  readonly #prompts: Pick<Prompts, 'pick'>;
  readonly #active = new Set<ShownRun>();
  readonly #item = vscode.window.createStatusBarItem('runhook.runs', vscode.StatusBarAlignment.Left, 9);
  readonly #owned: vscode.Disposable;

  constructor({ prompts, ...parts }: ShowParts & { prompts: Pick<Prompts, 'pick'>; log: Log }) {
    this.#parts = parts;
    this.#prompts = prompts;
    this.#item.name = t('Runhook: Runs');
    this.#item.command = runsMenuCommand;
    this.#owned = vscode.Disposable.from(
      this.#item,
      vscode.commands.registerCommand(runsMenuCommand, () => cancelRuns(this.#waiting(), prompts)),
      parts.history.onDidChange(() => this.#update()),
    );
    this.#update();
  }

  /** Resolves with the complete answer. The wait for the delivery continues after that. */
  async run(call: Call): Promise<RunAppResult> {
    const { signal } = call;
    const allowed = await this.#allowed(call);
    signal?.throwIfAborted();
    const shown = new ShownRun(allowed, this.#parts);
    signal?.addEventListener('abort', () => shown.cancel(), { once: true });
    this.#active.add(shown);
    this.#update();
    void shown.ended
      .catch((error: unknown) => logError(this.#parts.log, error))
      .finally(() => {
        this.#active.delete(shown);
        this.#update();
      });
    return shown.answered;
  }

  /** Cancels the run with this id, or all runs, or the wait for their deliveries. Returns how many were cancelled. */
  cancel(id?: string): number {
    const runs = this.#waiting().filter((run) => id === undefined || run.id === id);
    for (const run of runs) run.cancel();
    return runs.length;
  }

  /** Cancels the only run, or of several those that the user picks. Returns how many were cancelled. */
  async cancelPicked(): Promise<number> {
    const waiting = this.#waiting();
    return waiting.length > 1 ? cancelRuns(waiting, this.#prompts) : this.cancel();
  }

  dispose(): void {
    this.cancel();
    this.#owned.dispose();
  }

  /** The remedies of an error fix the input and continue the same run: nothing is picked again. */
  async #allowed(call: Call): Promise<AllowedCall> {
    try {
      return await this.#parts.allowed(call);
    } catch (error) {
      // A plain UserError is fixed in the document; a class of its own has its own remedy.
      const isOfDocument = error instanceof UserError && error.name === 'UserError';
      const uri = isOfDocument ? call.document?.toString() : undefined;
      const remedies = uri === undefined ? [] : [{ kind: 'openFile', uri } as const];
      throw mendedBy(error, remedies, (change) => this.run({ ...call, input: { ...call.input, ...change } }));
    }
  }

  /** What the history awaits goes on after a reload. */
  #waiting(): ActiveRun[] {
    const { history } = this.#parts;
    const running = [...this.#active].filter(({ waitingFor }) => waitingFor === 'answer');
    const awaited = history.all().filter((run) => run.awaited === true && history.isOwn(run));
    const waits = awaited.map((run) => ({
      id: run.id,
      title: runTitle(run),
      waitingFor: 'delivery' as const,
      cancel: () => history.setAwaited(run, false),
    }));
    return [...running, ...waits];
  }

  /** Shows the item, and *Cancel Run* in the palette, while there is a run to cancel. */
  #update(): void {
    const waiting = this.#waiting();
    const text = runsText(waiting);
    void vscode.commands.executeCommand('setContext', contextIds.runActive, text !== undefined);
    if (text === undefined) {
      this.#item.hide();
      return;
    }
    this.#item.text = `$(sync~spin) ${text}`;
    this.#item.tooltip = [...waiting.map(lineOf), t('Click to cancel.')].join('\n');
    this.#item.show();
  }
}

/** Whether the links above the response are all that can be done: *Run Again*, and *Set Address…* or *Open Settings*. */
function isMendedByLenses(error: UnreachableError): boolean {
  return remediesOf(error).every(
    (one) => one.kind === 'tryAgain' || one.kind === 'setAddress' || one === addressesRemedy,
  );
}

const tickMs = 1000;
/** How long the document waits for the response before it opens without, in milliseconds. */
const openAfterMs = 400;

/** One run. Shows its answer as it arrives, until its delivery has arrived. */
export class ShownRun {
  readonly #parts: ShowParts;
  readonly #abort = new AbortController();
  /** Whether something has kept deliveries from arriving since it began. */
  #wasAway = false;
  readonly #sent: SentCall;
  readonly #uri: vscode.Uri;
  /** The document that the call is written in. */
  readonly #document: vscode.Uri | undefined;
  #stopped = false;

  /** The whole answer. Rejects with a DeclinedError if the run is cancelled, or with why no answer came. */
  readonly answered: Promise<RunAppResult>;
  /** Resolves when nothing more is waited for. Rejects only if the answer cannot be read. */
  readonly ended: Promise<void>;

  /** Sends the call and shows its answer. */
  constructor(call: AllowedCall, parts: ShowParts) {
    this.#parts = parts;
    this.#document = call.document;
    this.#sent = parts.send({ ...call, signal: this.#abort.signal }, () => this.#update());
    const { run } = this.#sent;
    this.#uri = parts.documents.uri(run);
    this.answered = this.#answered();
    this.ended = this.#show();
  }

  get id(): string {
    return this.#sent.run.id;
  }

  /** The app and the time of day. */
  get title(): string {
    return runTitle(this.#sent.run);
  }

  /** Cancels the answer, or the wait for the delivery. */
  cancel(): void {
    this.#abort.abort();
    this.#parts.history.setAwaited(this.#sent.run, false);
  }

  async #answered(): Promise<RunAppResult> {
    try {
      return await this.#sent.answered;
    } catch (error) {
      if (this.#abort.signal.aborted) throw new DeclinedError(t('The run was cancelled.'));
      if (error instanceof UnreachableError) error.isShown = isMendedByLenses(error);
      throw error;
    } finally {
      this.#update();
    }
  }

  async #show(): Promise<void> {
    // What comes of its delivery later shows too, as long as the document is kept.
    const changes = this.#parts.history.onDidChange((run) => {
      if (this.#stopped && !this.#parts.documents.has(this.#uri)) changes.dispose();
      else if (run === this.#sent.run) this.#update();
    });
    const stopTicking = this.#tick();
    // The error is reported to whoever awaits `answered`.
    const delivered = this.answered.catch(() => undefined).then(() => this.#delivered());
    try {
      await Promise.all([this.#open(), delivered]);
    } finally {
      stopTicking();
      this.#stopped = true;
      this.#update();
    }
  }

  /**
   * Opens the document. The focus stays where the user is, unless that is what it takes the place of. A quick response is
   * waited for: the editor would fold nothing of it where it replaces a text that has only just been opened.
   */
  async #open(): Promise<void> {
    await new Promise<void>((resolve) => {
      const cancel = this.#parts.clock.after(openAfterMs, resolve);
      const open = () => {
        cancel();
        resolve();
      };
      this.answered.then(open, open);
    });
    const document = await vscode.workspace.openTextDocument(this.#uri);
    const viewColumn = columnFor(this.#document);
    const { activeTab, viewColumn: front } = vscode.window.tabGroups.activeTabGroup;
    const takesPlace = activeTab !== undefined && viewColumn === front;
    const options = {
      viewColumn,
      preserveFocus: !takesPlace || !isGesture() || isGestureOnRow(),
      preview: true,
    };
    // It fails where the response of another run takes its place, or somebody closes it, while it opens.
    await showDocument(document.uri, options).then(undefined, () => undefined);
    // A click on ▶ leaves the focus where it was, and that may be covered now.
    if (takesPlace && isGestureOnRow()) await vscode.commands.executeCommand(`${viewIds.projects}.focus`);
  }

  /** Updates the elapsed time every second. Returns a function that stops it. */
  #tick(): () => void {
    let cancel = (): void => undefined;
    const tick = (): void => {
      this.#update();
      cancel = this.#parts.clock.after(tickMs, tick);
    };
    tick();
    return () => cancel();
  }

  /** Resolves when the delivery has arrived, or is no longer waited for. */
  async #delivered(): Promise<void> {
    const { history, listener } = this.#parts;
    const { run } = this.#sent;
    if (this.#abort.signal.aborted || !isExpected(run)) return;
    const why = whyItCannotArrive(run, listener.state);
    history.setAwaited(run, why === undefined, why);
    if (why !== undefined) return;
    await new Promise<void>((resolve) => {
      const watched = history.onDidChange(() => {
        if (run.awaited === true) return;
        watched.dispose();
        resolve();
      });
    });
  }

  get waitingFor(): AnswerState['waitingFor'] {
    const { outcome, awaited } = this.#sent.run;
    if (outcome.kind === 'running') return 'answer';
    return awaited === true ? 'delivery' : 'nothing';
  }

  /** Cheap: the content is built when the editor reads it, which is less often than pieces arrive. */
  #update(): void {
    this.#parts.documents.set(this.#uri, () => {
      const { run, arriving } = this.#sent;
      const { clock, history, listener } = this.#parts;
      if (run.outcome.kind !== 'running' && !history.list(run.input).includes(run)) return nothingKept();
      const elapsedMs = waitedMs(run, clock.now());
      const { shown } = arriving;
      const away = awayFrom(run, shown.results, listener.state);
      this.#wasAway ||= away !== undefined;
      const { waitingFor } = this;
      return answerContent({ ...shown, run, waitingFor, elapsedMs, away, wasAway: this.#wasAway });
    });
  }
}

/**
 * Where the last response is shown; else beside what was run, or the code in front, if any is: a delivery and a page of
 * Runhook make way. It opens no third column: what stands in the last of several has the response before it.
 */
function columnFor(document: vscode.Uri | undefined): vscode.ViewColumn {
  const { all, activeTabGroup } = vscode.window.tabGroups;
  const last = answersColumn();
  if (last !== undefined) return last;
  if (activeTabGroup.tabs.length === 0) return vscode.ViewColumn.Active;
  // By the tabs: of an editor that was closed the window may go on to tell.
  const ofCall = all.find(
    ({ activeTab }) =>
      activeTab?.input instanceof vscode.TabInputText && String(activeTab.input.uri) === String(document),
  );
  const { input } = activeTabGroup.activeTab ?? {};
  const makesWay =
    input instanceof vscode.TabInputWebview ||
    (input instanceof vscode.TabInputText && input.uri.scheme === schemes.delivery);
  if (ofCall === undefined && makesWay) return activeTabGroup.viewColumn;
  const front: number = ofCall?.viewColumn ?? activeTabGroup.viewColumn;
  const isLastOfSeveral = all.length > 1 && all.length === front;
  return isLastOfSeveral ? front - 1 : front + 1;
}

/** A run that is shown: its answer has not arrived, or its delivery is waited for. */
export interface ActiveRun {
  readonly id: string;
  /** The app and the time of day. */
  readonly title: string;
  readonly waitingFor: 'answer' | 'delivery' | 'nothing';
  cancel(): void;
}

/** Offers to cancel each of the runs, or all. Returns how many were cancelled. */
export async function cancelRuns(
  active: readonly ActiveRun[],
  prompts: Pick<Prompts, 'pick'>,
): Promise<number> {
  const choices = active.map((run) => ({
    label: `$(stop-circle) ${plainText(run.title)}`,
    description: run.waitingFor === 'answer' ? t('Cancel the run') : t('Stop waiting for the delivery'),
    value: [run],
  }));
  const all = { label: `$(stop-circle) ${t('Cancel All')}`, value: [...active] };
  const picked = (await prompts.pick(t('Runs'), active.length > 1 ? [all, ...choices] : choices)) ?? [];
  for (const run of picked) run.cancel();
  return picked.length;
}

/** What the item says; undefined if nothing is waited for. */
export function runsText(active: readonly Pick<ActiveRun, 'title' | 'waitingFor'>[]): string | undefined {
  const [only, second] = active;
  if (only === undefined) return undefined;
  if (second === undefined) return lineOf(only);
  const waiting = active.filter(({ waitingFor }) => waitingFor === 'delivery').length;
  return waiting === active.length ? t('Waiting for {0} deliveries', waiting) : t('{0} runs', active.length);
}

function lineOf({ title, waitingFor }: Pick<ActiveRun, 'title' | 'waitingFor'>): string {
  const name = plainText(title, 40);
  return waitingFor === 'answer' ? t('Running {0}', name) : t('{0}: waiting for the delivery', name);
}
