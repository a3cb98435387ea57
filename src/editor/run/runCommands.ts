import * as v from 'valibot';
import * as vscode from 'vscode';
import { type Payload, readPayload } from '../../model/runs/payload.ts';
import type { RunInput } from '../../model/runs/run.ts';
import { t } from '../../model/text/l10n.ts';
import { mendedBy, UserError } from '../../model/text/userError.ts';
import { command } from '../commands.ts';
import { DeclinedError } from '../prompts/declinedError.ts';
import { givenFile, openFile } from '../prompts/givenFile.ts';
import { commandIds } from '../ids.ts';
import type { Prompts } from '../prompts/prompts.ts';
import type { AppRef } from '../projects/feature.ts';
import type { LastChoices, RunWay } from './lastChoices.ts';
import type { Payloads } from './payloads/payloads.ts';
import { isComplete, runApp, runAppSchema, runUnseen } from './runApp.ts';
import type { RunAppResult } from '../../client/answers/runAppResult.ts';
import type { GivenApp, RunChoices } from './runChoices.ts';
import type { RunHistory } from './history/runHistory.ts';
import { quietly } from './quietly.ts';
import type { PrepareOptions, Runner } from './runner.ts';
import type { RunView } from './history/runView.ts';
import { type GivenCall, seriesCommands } from './series/seriesCommands.ts';
import type { SeriesRuns } from './series/seriesRuns.ts';

export interface RunCommandsParts {
  prompts: Prompts;
  payloads: Payloads;
  choices: RunChoices;
  last: LastChoices;
  runner: Runner;
  view: RunView;
  history: RunHistory;
  series: SeriesRuns;
}

const text = v.exactOptional(v.string());
const appSchema = v.object({ projectId: text, appName: text });
const flag = v.exactOptional(v.boolean());
const fileSchema = v.object({
  ...appSchema.entries,
  file: text,
  webhook: flag,
  confirmed: flag,
  /** Opens no answer, and does not ask how to run. */
  quiet: flag,
  /** An `AbortSignal` of a caller within the editor: breaks the run off. */
  signal: v.optional(v.unknown()),
});
const idSchema = v.object({ id: text });

type GivenFile = v.InferOutput<typeof fileSchema>;

/** How a payload is run: an address of its own may stand for the listener. */
type PayloadWay = Omit<RunWay, 'webhook'> & { webhook: boolean | string };

/** What a file is run with besides. */
type FileOptions = PrepareOptions & Pick<GivenFile, 'quiet' | 'signal'>;

/** The commands of running: from the palette they ask, with a whole argument they do not. */
export function runCommands(parts: RunCommandsParts) {
  const { prompts, payloads, choices, last, runner, view, history, series } = parts;
  const { store } = payloads;

  /** The palette's *Run App…*: which app, which payload, with or without the webhook. */
  async function askAndRun(given: GivenApp): Promise<RunAppResult> {
    const app = picked(await choices.app(given));
    const uri = picked(await payloads.pick(app));
    const payload = await read(uri);
    return run(app, payload, picked(await choices.way(app)), named(uri));
  }

  /**
   * The tree's *Run App*: opens the payload that was last run, so that what is sent is seen, and runs it as
   * it was run then; how is asked the first time.
   */
  async function runPayload(given: GivenApp): Promise<RunAppResult> {
    const app = picked(await choices.app(given));
    const uri = await payloads.last(app);
    await vscode.window.showTextDocument(uri, { preview: false });
    const payload = await read(uri);
    return run(app, payload, wayOf(app, payload) ?? picked(await choices.lastWay(app)), named(uri));
  }

  /**
   * *Run App with This File*: a payload knows its app; any other JSON file is asked for.
   * What a repository may have brought along is asked for, unless the call is confirmed.
   * @param mayAsk how to run a payload that was not run before; without a question it is run without the webhook
   */
  async function runFile(given: GivenFile, mayAsk: boolean): Promise<RunAppResult> {
    const { quiet = false, signal } = given;
    const { input, options } = await callOfFile(given, mayAsk);
    return send(input, { ...options, quiet, signal });
  }

  /** What a file is run with. */
  async function callOfFile(
    { file, webhook, confirmed = false, quiet = false, ...of }: GivenFile,
    mayAsk: boolean,
  ): Promise<GivenCall> {
    const inFront = vscode.window.activeTextEditor?.document.uri;
    const uri = file === undefined ? inFront : await givenFile(file);
    if (uri === undefined) {
      throw new UserError(t('Open the JSON file to run an app with first.'), {
        remedies: [{ kind: 'pickFile' }, { kind: 'runApp' }],
      });
    }
    const owner = store.owner(uri);
    const payload = await read(uri);
    const given = webhook === undefined ? undefined : { webhook };
    const options = { confirmed, ...named(uri) };
    if (owner === undefined) {
      const app = picked(await choices.app(of));
      const usual = quiet ? { webhook: false } : undefined;
      const way = given ?? wayOf(app, payload) ?? usual ?? picked(await choices.way(app));
      return { input: inputWith(app, payload, way), options: { ...options, file: uri } };
    }
    const unasked = mayAsk && !quiet ? undefined : { webhook: false };
    const said = given ?? wayOf(owner, payload) ?? unasked;
    const way = said ?? picked(await choices.lastWay(owner));
    await last.rememberPayload(owner);
    await last.rememberWay(owner, { ...way, webhook: way.webhook !== false });
    return { input: inputWith(owner, payload, way), options };
  }

  /** The document, and what a question calls it. */
  function named(uri: vscode.Uri): { payload: string; document: vscode.Uri } {
    return { payload: store.owner(uri)?.name ?? vscode.workspace.asRelativePath(uri), document: uri };
  }

  /** What a payload says of its webhook; signed as the app's webhooks were last. */
  function wayOf(app: AppRef, { webhook }: Payload): PayloadWay | undefined {
    if (webhook === undefined) return undefined;
    const signing = webhook === false ? undefined : last.way(app)?.signing;
    return { webhook, ...(signing && { signing }) };
  }

  /** What a document holds, saved or not; a payload is saved on the way. */
  async function read(uri: vscode.Uri): Promise<Payload> {
    const document = await openFile(uri);
    if (document.isDirty && store.owner(uri) !== undefined) await document.save();
    try {
      return readPayload(document.getText());
    } catch (error) {
      throw mendedBy(error, [{ kind: 'openFile', uri: uri.toString() }]);
    }
  }

  function run(
    app: AppRef,
    payload: Payload,
    way: PayloadWay,
    options: PrepareOptions,
  ): Promise<RunAppResult> {
    return send(inputWith(app, payload, way), options);
  }

  function send(input: RunInput, { quiet = false, signal, ...options }: FileOptions): Promise<RunAppResult> {
    const ending = signal instanceof AbortSignal ? { signal } : {};
    return quiet
      ? runUnseen(runner, input, options, ending.signal)
      : view.run(input, { ...options, ...ending });
  }

  return {
    ...seriesCommands({ prompts, last, view, history, series, callOfFile }),
    [commandIds.runApp]: command(runAppSchema, (argument) =>
      isComplete(argument) ? runApp({ runner, view }, argument) : askAndRun(argument ?? {}),
    ),
    [commandIds.runPayload]: command(appSchema, (given = {}) => runPayload(given)),
    [commandIds.runFile]: command(fileSchema, (given = {}, from) =>
      quietly(runFile(given, from !== 'caller')),
    ),
    [commandIds.runAgain]: command(idSchema, (argument) => quietly(view.again(argument?.id))),
    [commandIds.openRunDelivery]: command(idSchema, async (argument) => {
      const delivery = history.all().find((one) => one.id === argument?.id)?.delivery;
      if (delivery === undefined) throw new UserError(t('Nothing was delivered for this run.'));
      await vscode.commands.executeCommand(commandIds.openDelivery, { id: delivery.id });
    }),
    [commandIds.cancelRun]: command(idSchema, (argument) => view.cancel(argument?.id)),
  };
}

/** What a payload has the app called with. */
function inputWith(
  { projectId, appName }: AppRef,
  { path, query, method, headers, body, webhook: own }: Payload,
  { webhook, signing }: PayloadWay,
): RunInput {
  // An address of the payload's own is where its webhook goes, whichever way the webhook was chosen.
  const to = webhook === true && typeof own === 'string' ? own : webhook;
  return {
    ...{ projectId, appName, path, method, headers, webhook: to },
    ...(query && { query }),
    ...(body !== undefined && { body }),
    ...(signing && { signing }),
  };
}

/** What was picked; whoever picked nothing has declined. */
function picked<T>(choice: T | undefined): T {
  if (choice === undefined) throw new DeclinedError(t('Nothing was run.'));
  return choice;
}
