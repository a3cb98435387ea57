import * as v from 'valibot';
import * as vscode from 'vscode';
import type { RunInput } from '../../model/runs/run.ts';
import { t } from '../../model/text/l10n.ts';
import { UserError } from '../../model/text/userError.ts';
import { command } from '../commands.ts';
import { commandIds } from '../ids.ts';
import { givenFile } from '../prompts/givenFile.ts';
import { type FileCalls, picked } from './fileCalls.ts';
import type { Payloads } from './payloads/payloads.ts';
import { type RunAppResult, runFacts, type PrepareOptions, type Runner } from './runner.ts';
import type { GivenApp, RunChoices } from './runChoices.ts';
import type { RunHistory } from './history/runHistory.ts';
import type { RunView } from './history/runView.ts';
import { DeclinedError } from '../prompts/declinedError.ts';
import { plainBody } from './answers/answerText.ts';
import { readToEnd } from '../../client/boundedBody.ts';

export interface RunCommandsParts {
  payloads: Payloads;
  calls: FileCalls;
  choices: RunChoices;
  runner: Runner;
  view: RunView;
  history: RunHistory;
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
/** The payload: by its app and name, or by its file. */
const payloadSchema = v.object({ ...appSchema.entries, name: text, file: text });

type GivenFile = v.InferOutput<typeof fileSchema>;

/** The options of a run with a file. */
type FileOptions = PrepareOptions & Pick<GivenFile, 'quiet' | 'signal'>;

/** The commands that open payloads and run apps. They ask for what the argument leaves out. */
export function runCommands(parts: RunCommandsParts) {
  const { payloads, calls, choices, runner, view, history } = parts;

  /** The palette's *Run App…*: which app, which payload, with or without the webhook. */
  async function askAndRun(given: GivenApp): Promise<RunAppResult> {
    const app = picked(await choices.app(given));
    const written = await calls.read(picked(await payloads.pick(app)));
    const { input, options } = await calls.of(app, written, picked(await choices.way(app)));
    return send(input, options);
  }

  /**
   * The tree's *Run App*: opens the payload that was last run, so that the user sees what is sent, and runs it
   * the same way as then. Asks how to run it the first time.
   */
  async function runPayload(given: GivenApp): Promise<RunAppResult> {
    const app = picked(await choices.app(given));
    const uri = await payloads.last(app);
    await vscode.window.showTextDocument(uri, { preview: false });
    const written = await calls.read(uri);
    const way = calls.wayOf(app, written.payload) ?? picked(await choices.lastWay(app));
    const { input, options } = await calls.of(app, written, way);
    return send(input, options);
  }

  /**
   * *Run App with This File*: a payload knows its app; for any other JSON file, asks for the app.
   * Asks before a file that may come from a repository is run, unless the call is confirmed.
   * @param mayAsk whether to ask how to run a payload the first time; if false, it runs without the webhook
   */
  async function runFile(given: GivenFile, mayAsk: boolean): Promise<RunAppResult> {
    const { quiet = false, signal } = given;
    const { input, options } = await calls.ofFile(given, mayAsk);
    return send(input, { ...options, quiet, signal });
  }

  function send(input: RunInput, { quiet = false, signal, ...options }: FileOptions): Promise<RunAppResult> {
    const cancellation = signal instanceof AbortSignal ? { signal } : {};
    return quiet
      ? runUnseen(runner, input, options, cancellation.signal)
      : view.run(input, { ...options, ...cancellation });
  }

  async function openPayload(given: v.InferOutput<typeof payloadSchema>): Promise<string | undefined> {
    const uri = await payloadUri(given);
    if (uri !== undefined) await vscode.window.showTextDocument(uri);
    return uri?.toString();
  }

  /** The payload that was last run; `name: ''` asks which one. */
  async function payloadUri({ name, file, ...given }: v.InferOutput<typeof payloadSchema>) {
    if (file !== undefined) return givenFile(file);
    const app = await choices.app(given);
    if (app === undefined) return undefined;
    if (name === undefined) return payloads.last(app);
    return name === '' ? payloads.pick(app) : payloads.open({ ...app, name });
  }

  return {
    [commandIds.openPayload]: command(payloadSchema, (given = {}) => openPayload(given)),
    [commandIds.runApp]: command(runAppSchema, (argument) =>
      isComplete(argument) ? runApp({ runner, view }, argument) : askAndRun(argument ?? {}),
    ),
    [commandIds.runPayload]: command(appSchema, (given = {}) => runPayload(given)),
    [commandIds.runFile]: command(fileSchema, async (given = {}, from) => {
      // Run from its row in the view: open the file, so that the user sees what is sent.
      if (from === 'menu' && given.file !== undefined) {
        await vscode.window.showTextDocument(await calls.uriOf(given), { preview: false });
      }
      return unlessDeclined(runFile(given, from !== 'caller'));
    }),
    [commandIds.runAgain]: command(idSchema, (argument) => unlessDeclined(view.again(argument?.id))),
    [commandIds.openRunDelivery]: command(idSchema, async (argument) => {
      const delivery = history.all().find((one) => one.id === argument?.id)?.delivery;
      if (delivery === undefined) throw new UserError(t('Nothing was delivered for this run.'));
      await vscode.commands.executeCommand(commandIds.openDelivery, { id: delivery.id });
    }),
    [commandIds.cancelRun]: command(idSchema, (argument) => view.cancel(argument?.id)),
  };
}

/** Swallows a DeclinedError. For links in a document: the editor would show it to the user who just declined. */
async function unlessDeclined<T>(run: Promise<T>): Promise<T | undefined> {
  try {
    return await run;
  } catch (error) {
    if (error instanceof DeclinedError) return undefined;
    throw error;
  }
}

/** The argument of `runhook.runApp` (design, section 4). */
const runAppSchema = v.object({
  projectId: v.optional(v.string()),
  appName: v.optional(v.string()),
  path: v.optional(v.string(), 'run'),
  method: v.optional(v.string(), 'POST'),
  headers: v.optional(v.record(v.string(), v.string()), {}),
  body: v.optional(v.unknown()),
  webhook: v.optional(v.union([v.boolean(), v.string()]), false),
  /** Signs the webhook of this run in place of the secret that is kept; `false` leaves it unsigned. */
  secret: v.optional(v.union([v.string(), v.literal(false)])),
  confirmed: v.optional(v.boolean(), false),
  /** Opens no answer. */
  quiet: v.optional(v.boolean(), false),
  /** An `AbortSignal` of a caller within the editor: breaks the run off. */
  signal: v.optional(v.unknown()),
});

type Argument = v.InferOutput<typeof runAppSchema>;
type RunAppArgument = Argument & { projectId: string; appName: string };

/** Whether the argument names the app, so that nothing has to be asked. */
function isComplete<Given extends Argument>(argument: Given | undefined): argument is Given & RunAppArgument {
  return argument?.projectId !== undefined && argument.appName !== undefined;
}

/** The longest answer that is held in memory, in bytes. */
const maxBytes = 64 * 1024 * 1024;

/**
 * Runs an app and waits for the whole answer. Opens it as *Run App* does, unless `quiet` is set. A POST, PUT or
 * PATCH without a body sends an empty object.
 */
async function runApp(
  { runner, view }: { runner: Runner; view: RunView },
  argument: RunAppArgument,
): Promise<RunAppResult> {
  const { secret, confirmed, quiet } = argument;
  const signal = argument.signal instanceof AbortSignal ? argument.signal : undefined;
  const input = inputOf(argument);
  const options = { confirmed, secret: secret === false ? undefined : secret };
  // The editor may show only the beginning of an answer, or a file. The caller gets all of it.
  return quiet
    ? runUnseen(runner, input, options, signal)
    : view.run(input, { ...options, hold: maxBytes, ...(signal && { signal }) });
}

/** The input of the run that the argument describes. */
function inputOf(argument: RunAppArgument): RunInput {
  const { projectId, appName, path, method, headers, body, webhook, secret } = argument;
  const text = bodyText(method, body);
  return {
    projectId,
    appName,
    path,
    method,
    headers,
    webhook,
    ...(text !== undefined && { body: text }),
    ...(secret !== undefined && { signing: secret === false ? 'unsigned' : 'once' }),
  };
}

/** Runs a complete input without opening the answer. */
async function runUnseen(
  runner: Runner,
  input: RunInput,
  options: PrepareOptions,
  signal?: AbortSignal,
): Promise<RunAppResult> {
  const prepared = await runner.prepare(input, { ...options, hold: maxBytes });
  signal?.throwIfAborted();
  const { run, arriving, answer } = runner.send(prepared, signal);
  const { status, headers, body } = await answer;
  await readToEnd(body);
  const bytes = arriving.body?.whole ?? new Uint8Array();
  return { status, headers, ...plainBody(bytes, headers['content-type']), ...runFacts(run) };
}

function bodyText(method: string, body: unknown): string | undefined {
  if (body !== undefined) return JSON.stringify(body);
  return /^(post|put|patch)$/i.test(method) ? '{}' : undefined;
}
