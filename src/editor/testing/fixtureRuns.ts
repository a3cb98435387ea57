import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import { delay, systemClock } from '../../shared/async/clock.ts';
import { config } from '../kit/config.ts';
import { t } from '../../shared/text/l10n.ts';
import { UserError } from '../../shared/text/userError.ts';
import { patient, variantText } from '../../suite/run/variant.ts';
import { type SuiteTest, type TestResult, runSuite } from '../../suite/run/runSuite.ts';
import { untilListening } from '../../suite/run/untilListening.ts';
import type { ErrorSurface } from '../kit/errorSurface.ts';
import { type Log, readableError } from '../kit/log.ts';
import { DeclinedError } from '../kit/prompts.ts';
import type { DebuggedApp } from '../debug/feature.ts';
import type { HandlerCoverage } from './handlerCoverage.ts';
import type { FixtureItems, PlacedTest } from './fixtureItems.ts';
import { type TestTarget, type TestTargets, targetFor } from './testTargets.ts';
import { oneLine } from '../../shared/text/plainText.ts';
import { failurePlaceText } from '../../deliveries/handlerFailure.ts';
import { placeInBody } from '../../deliveries/failure/failurePlace.ts';
import { styled } from '../kit/terminalStyle.ts';
import { windowFiles } from '../kit/windowFiles.ts';
import { type Exchange, exchangeLines } from '../../suite/run/exchange.ts';
import { shownText } from '../../suite/run/judge.ts';
import type { UnmetExpectation } from '../../suite/run/runVariant.ts';

/** The wait after a file was saved, in which an app that watches its files begins to restart. */
const settlingMs = 500;
/** How long a restarting app may take until it listens. */
const restartMs = 20_000;

interface FixtureRunsParts {
  controller: vscode.TestController;
  items: FixtureItems;
  targets: TestTargets;
  app: DebuggedApp;
  errors: ErrorSurface;
  log: Log;
}

/** What happens to the handler: it only gets the fixtures, or it is started first, under the debugger or measured. */
type Way = 'send' | 'debug' | 'cover';

type Handler = vscode.TestRunProfile['runHandler'];

/** Sends fixtures to the app and reports the results to the Test view. */
export class FixtureRuns implements vscode.Disposable {
  readonly #parts: FixtureRunsParts;
  /** Aborts the runs in flight on dispose. */
  readonly #disposal = new AbortController();

  constructor(parts: FixtureRunsParts) {
    this.#parts = parts;
  }

  readonly run: Handler = async (request, token) => {
    const signal = this.#signalOf(token);
    if (request.continuous === true) this.#follow(request, signal);
    else await this.#round(request, signal);
  };

  /** Starts the app with a launch configuration unless it runs. Extends time limits: it may stop at a breakpoint. */
  readonly debug: Handler = (request, token) => this.#round(request, this.#signalOf(token), 'debug');

  /** Starts the handler in a way that measures it, and ends it after the run. */
  readonly cover: Handler = (request, token) => this.#round(request, this.#signalOf(token), 'cover');

  /** Configures a run profile. @param what the title for errors @param ask asks the user for the setting */
  configure(what: string, ask: () => Promise<unknown>): void {
    ask().catch((error: unknown) => this.#parts.errors.report(what, error, ask));
  }

  dispose(): void {
    this.#disposal.abort();
  }

  /** Runs again whenever a file of the workspace is saved, until the signal is aborted. */
  #follow(request: vscode.TestRunRequest, stopped: AbortSignal): void {
    let round: AbortController | undefined;
    let last = Promise.resolve();
    const again = (): void => {
      round?.abort();
      round = new AbortController();
      const signal = AbortSignal.any([stopped, round.signal]);
      const before = last;
      last = (async () => {
        await before;
        await delay(systemClock, settlingMs, signal);
        await this.#round(request, signal, 'send', restartMs);
      })().catch((error: unknown) => {
        if (!signal.aborted) this.#report(error, again);
      });
    };
    const saved = vscode.workspace.onDidSaveTextDocument(({ uri }) => {
      if (isOfTheApp(uri)) again();
    });
    stopped.addEventListener('abort', () => void saved.dispose(), { once: true });
  }

  /** @param waitsMs how long the app may take until it listens */
  async #round(
    request: vscode.TestRunRequest,
    outer: AbortSignal,
    way: Way = 'send',
    waitsMs = 0,
  ): Promise<void> {
    const { controller, items } = this.#parts;
    const run = controller.createTestRun(request);
    const signal = AbortSignal.any([outer, this.#signalOf(run.token)]);
    // What cancels this round does not cancel the next one, which the user asks for. The editor takes the results of a
    // request whose round has ended for those of that round, and shows none of them.
    const { include, exclude, profile } = request;
    const next = new vscode.TestRunRequest(include, exclude, profile);
    const again = () => this.#round(next, this.#disposal.signal, way, waitsMs);
    let chosen: PlacedTest[] = [];
    const ended = new Set<PlacedTest>();
    let fixable: UserError | undefined;
    let coverage: HandlerCoverage | undefined;
    try {
      chosen = await items.chosen(request);
      for (const { item } of chosen) run.enqueued(item);
      const addresses = await this.#parts.targets.addresses(chosen.map(({ test }) => test));
      coverage = await this.#ready([...new Set(addresses.values())], signal, way, waitsMs);
      const targets = await this.#parts.targets.signed(addresses);
      const name = randomUUID();
      for (const one of chosen) {
        signal.throwIfAborted();
        run.started(one.item);
        const target = targetFor(one.test, targets);
        const problem = await this.#runOne(run, one, name, target, signal, way === 'debug');
        await coverage?.add(one.item, signal);
        fixable ??= problem;
        ended.add(one);
      }
      if (fixable !== undefined) this.#report(fixable, again);
    } catch (error) {
      const isCancelled = signal.aborted || error instanceof DeclinedError;
      const text = isCancelled ? '' : this.#textOf(error);
      for (const { item } of chosen.filter((one) => !ended.has(one))) {
        if (isCancelled) run.skipped(item);
        else run.errored(item, new vscode.TestMessage(text));
      }
      if (!isCancelled) this.#report(error, again);
    } finally {
      await coverage?.end(run);
      run.end();
    }
  }

  /** Starts the handler, or waits until it listens. @returns what measures it, if it is measured */
  async #ready(
    addresses: readonly URL[],
    signal: AbortSignal,
    way: Way,
    waitsMs: number,
  ): Promise<HandlerCoverage | undefined> {
    const [first, ...others] = addresses;
    if (way === 'cover' && first !== undefined) {
      const { HandlerCoverage } = await import('./handlerCoverage.ts');
      return HandlerCoverage.start(this.#parts.app, [first, ...others], signal);
    }
    for (const to of addresses) {
      if (way === 'debug') await this.#parts.app.ready(to, signal);
      // If a handler does not listen by then, its tests fail and say why.
      else if (waitsMs > 0) await untilListening(to, systemClock, waitsMs, signal);
    }
    return undefined;
  }

  /** @returns an error that the user can fix before the next run, such as a secret that is not stored */
  async #runOne(
    run: vscode.TestRun,
    { item, uri, test }: PlacedTest,
    name: string,
    target: TestTarget,
    signal: AbortSignal,
    isDebugged: boolean,
  ): Promise<UserError | undefined> {
    const acceptLocalCertificates = config.acceptLocalCertificates();
    const app = { ...target, clock: systemClock, signal, acceptLocalCertificates };
    try {
      for await (const result of runSuite([isDebugged ? patientTest(test) : test], name, app)) {
        await reportResult(run, item, uri, result);
      }
    } catch (error) {
      if (signal.aborted || !(error instanceof UserError)) throw error;
      // The other tests continue.
      run.errored(item, new vscode.TestMessage(error.message));
      return error;
    }
    return undefined;
  }

  #signalOf(token: vscode.CancellationToken): AbortSignal {
    const abort = new AbortController();
    if (token.isCancellationRequested) abort.abort();
    token.onCancellationRequested(() => abort.abort());
    return AbortSignal.any([abort.signal, this.#disposal.signal]);
  }

  #textOf(error: unknown): string {
    return readableError(this.#parts.log, t('Sending the fixtures'), error).message;
  }

  #report(error: unknown, again: () => unknown): void {
    this.#parts.errors.report(t('Sending the fixtures'), error, () => Promise.resolve(again()));
  }
}

function patientTest(test: SuiteTest): SuiteTest {
  if ('problem' in test.read) return test;
  return { ...test, read: { ...test.read, variant: patient(test.read.variant) } };
}

/** Whether a saved file may belong to the app or the fixtures, and not to git, the editor or a dependency. */
function isOfTheApp(uri: vscode.Uri): boolean {
  return (
    vscode.workspace.getWorkspaceFolder(uri) !== undefined &&
    !/\/(\.git|\.vscode|node_modules)\//.test(uri.path)
  );
}

/** Reports a test result to the Test view: failures at the line of their expectation, responses in the output. */
async function reportResult(
  run: vscode.TestRun,
  item: vscode.TestItem,
  uri: vscode.Uri,
  { fixture, variant, outcome, durationMs, failures, exchanges }: TestResult,
): Promise<void> {
  const head = [fixture, variantText(variant)].filter((part) => part !== '').join(' · ');
  const unmet = failures.flatMap(({ message, cause }) => [`✗ ${message}`, ...(cause ? [`  ${cause}`] : [])]);
  const lines = [...exchanges.flatMap(exchangeLines), ...unmet, ''];
  // guard S85: An app's answer cannot control the terminal that shows it: only what is plain gets a colour.
  const shown = [
    styled('bold', oneLine(head)),
    ...lines.map((line) => colored(oneLine(line), outcome === 'passed')),
  ];
  run.appendOutput(shown.map((line) => `${line}\r\n`).join(''), undefined, item);
  const messages = failures.map((failure) => messageOf(failure, uri));
  const stackTrace = await stackOf(exchanges);
  for (const message of messages) message.stackTrace = stackTrace;
  if (outcome === 'passed') run.passed(item, durationMs);
  else if (outcome === 'failed') run.failed(item, messages, durationMs);
  else run.errored(item, messages);
}

/** A line of the output: the status is of the colour of the outcome. */
function colored(line: string, isPassed: boolean): string {
  if (line.startsWith('  → ')) return styled(isPassed ? 'green' : 'red', line);
  return line.startsWith('✗ ') ? styled('red', line) : line;
}

function messageOf(
  { message, cause, expected, actual, place }: UnmetExpectation,
  uri: vscode.Uri,
): vscode.TestMessage {
  // The editor shows a comparison in place of the message, so there is one only of what the message cannot hold.
  const isCompared = cause === undefined && [expected, actual].some((one) => shownText(one) !== one);
  const made = isCompared
    ? vscode.TestMessage.diff(message, expected, actual)
    : new vscode.TestMessage(wrapped(cause === undefined ? [message] : [message, cause]));
  made.location = new vscode.Location(uri, new vscode.Position(place.line, place.character));
  return made;
}

/** The line at which the handler failed, if its response has the stack: a link beside the message. */
async function stackOf(exchanges: readonly Exchange[]): Promise<vscode.TestMessageStackFrame[]> {
  const { status = 0, body = '' } = exchanges.at(-1)?.answer ?? {};
  const place = status < 500 ? undefined : await placeInBody(body, await windowFiles());
  if (place === undefined) return [];
  const at = new vscode.Position(place.line - 1, (place.column ?? 1) - 1);
  return [new vscode.TestMessageStackFrame(failurePlaceText(place), vscode.Uri.file(place.file), at)];
}

/** Paragraphs as they are, none of it Markdown. The editor wraps the lines of Markdown alone. */
function wrapped(paragraphs: string[]): vscode.MarkdownString {
  const asTheyAre = paragraphs.map((text) => text.replace(/[!-/:-@[-`{-~]/g, '\\$&'));
  return new vscode.MarkdownString(asTheyAre.join('\n\n'));
}
