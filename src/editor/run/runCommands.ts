import * as v from 'valibot';
import * as vscode from 'vscode';
import { type Payload, readPayload } from '../../model/runs/payload.ts';
import { t } from '../../model/text/l10n.ts';
import { UserError } from '../../model/text/userError.ts';
import { command } from '../commands.ts';
import { DeclinedError } from '../prompts/declinedError.ts';
import { givenFile, openFile } from '../prompts/givenFile.ts';
import { commandIds } from '../ids.ts';
import type { AppChoice, LastChoices, RunWay } from './lastChoices.ts';
import type { PayloadChoices } from './payloads/payloadChoices.ts';
import type { PayloadStore } from './payloads/payloadStore.ts';
import { isComplete, runApp, runAppSchema, type RunAppResult } from './runApp.ts';
import type { RunChoices } from './runChoices.ts';
import type { RunHistory } from './history/runHistory.ts';
import type { PrepareOptions, Runner } from './runner.ts';
import type { RunView } from './history/runView.ts';

export interface RunCommandsParts {
  payloads: PayloadStore;
  choices: RunChoices;
  payloadChoices: PayloadChoices;
  last: LastChoices;
  runner: Runner;
  view: RunView;
  history: RunHistory;
}

const text = v.exactOptional(v.string());
const appSchema = v.object({ projectId: text, appName: text });
const flag = v.exactOptional(v.boolean());
const fileSchema = v.object({ file: text, webhook: flag, confirmed: flag });
const idSchema = v.object({ id: text });

type GivenApp = v.InferOutput<typeof appSchema>;
type GivenFile = v.InferOutput<typeof fileSchema>;

/** How a payload is run: an address of its own may stand for the listener. */
type PayloadWay = Omit<RunWay, 'webhook'> & { webhook: boolean | string };

/** The commands of running: from the palette they ask, with a whole argument they do not. */
export class RunCommands {
  readonly #parts: RunCommandsParts;

  constructor(parts: RunCommandsParts) {
    this.#parts = parts;
  }

  commands() {
    const { runner, view } = this.#parts;
    return {
      [commandIds.runApp]: command(runAppSchema, (argument) =>
        isComplete(argument) ? runApp(runner, argument) : this.#askAndRun(argument ?? {}),
      ),
      [commandIds.runPayload]: command(appSchema, (argument) => this.#runPayload(argument ?? {})),
      [commandIds.runFile]: command(fileSchema, (argument, from) =>
        quietly(this.#runFile(argument ?? {}, from !== 'caller')),
      ),
      [commandIds.runAgain]: command(idSchema, (argument) => quietly(view.again(argument?.id))),
      [commandIds.openRunDelivery]: command(idSchema, (argument) => this.#openDelivery(argument?.id)),
      [commandIds.cancelRun]: command(idSchema, (argument) => view.cancel(argument?.id)),
    };
  }

  /** The palette's *Run App…*: which app, which payload, with or without the webhook. */
  async #askAndRun(given: {
    projectId?: string | undefined;
    appName?: string | undefined;
  }): Promise<RunAppResult> {
    const { choices, payloadChoices } = this.#parts;
    const { projectId, appName } = given;
    const app = picked(
      await choices.app({
        ...(projectId !== undefined && { projectId }),
        ...(appName !== undefined && { appName }),
      }),
    );
    const uri = picked(await payloadChoices.pick(app));
    const payload = await this.#read(uri);
    return this.#run(app, payload, picked(await choices.way(app)));
  }

  /**
   * The tree's *Run App*: opens the payload that was last run, so that what is sent is seen, and runs it as
   * it was run then; how is asked the first time.
   */
  async #runPayload(given: GivenApp): Promise<RunAppResult> {
    const { choices, payloadChoices } = this.#parts;
    const app = picked(await choices.app(given));
    const uri = await payloadChoices.last(app);
    await vscode.window.showTextDocument(uri, { preview: false });
    const payload = await this.#read(uri);
    return this.#run(app, payload, this.#wayOf(app, payload) ?? picked(await choices.lastWay(app)));
  }

  /** Opens what was delivered for a run of the history. */
  async #openDelivery(id: string | undefined): Promise<void> {
    const delivery = this.#parts.history.all().find((run) => run.id === id)?.delivery;
    if (delivery === undefined) throw new UserError(t('Nothing was delivered for this run.'));
    await vscode.commands.executeCommand(commandIds.openDelivery, { id: delivery.id });
  }

  /**
   * *Run App with This File*: a payload knows its app; any other JSON file is asked for.
   * What a repository may have brought along is asked for, unless the call is confirmed.
   * @param mayAsk how to run a payload that was not run before; without a question it is run without the webhook
   */
  async #runFile({ file, webhook, confirmed = false }: GivenFile, mayAsk: boolean): Promise<RunAppResult> {
    const { payloads, choices, last } = this.#parts;
    const inFront = vscode.window.activeTextEditor?.document.uri;
    const uri = file === undefined ? inFront : await givenFile(file);
    if (uri === undefined) throw new UserError(t('Open the JSON file to run an app with first.'));
    const owner = payloads.owner(uri);
    const payload = await this.#read(uri);
    const given = webhook === undefined ? undefined : { webhook };
    if (owner === undefined) {
      const app = picked(await choices.app({}));
      const way = given ?? this.#wayOf(app, payload) ?? picked(await choices.way(app));
      return this.#run(app, payload, way, { confirmed, file: uri });
    }
    const unasked = mayAsk ? undefined : { webhook: false };
    const said = given ?? this.#wayOf(owner, payload) ?? unasked;
    const way = said ?? picked(await choices.lastWay(owner));
    await last.rememberPayload(owner);
    await last.rememberWay(owner, { ...way, webhook: way.webhook !== false });
    return this.#run(owner, payload, way, { confirmed });
  }

  /** What a payload says of its webhook; signed as the app's webhooks were last. */
  #wayOf(app: AppChoice, { webhook }: Payload): PayloadWay | undefined {
    if (webhook === undefined) return undefined;
    const signing = webhook === false ? undefined : this.#parts.last.way(app)?.signing;
    return { webhook, ...(signing && { signing }) };
  }

  /** What a document holds, saved or not; a payload is saved on the way. */
  async #read(uri: vscode.Uri): Promise<Payload> {
    const document = await openFile(uri);
    if (document.isDirty && this.#parts.payloads.owner(uri) !== undefined) await document.save();
    return readPayload(document.getText());
  }

  #run(
    { projectId, appName }: AppChoice,
    { path, query, method, headers, body, webhook: own }: Payload,
    { webhook, signing }: PayloadWay,
    options: PrepareOptions = {},
  ): Promise<RunAppResult> {
    // An address of the payload's own is where its webhook goes, whichever way the webhook was chosen.
    const to = webhook === true && typeof own === 'string' ? own : webhook;
    const input = {
      ...{ projectId, appName, path, method, headers, webhook: to },
      ...(query && { query }),
      ...(body !== undefined && { body }),
      ...(signing && { signing }),
    };
    return this.#parts.view.run(input, options);
  }
}

/** What was picked; whoever picked nothing has declined. */
function picked<T>(choice: T | undefined): T {
  if (choice === undefined) throw new DeclinedError(t('Nothing was run.'));
  return choice;
}

/** For links in a document: the editor would show what they reject with to the one who declined or cancelled. */
async function quietly<T>(run: Promise<T>): Promise<T | undefined> {
  try {
    return await run;
  } catch (error) {
    if (error instanceof DeclinedError) return undefined;
    throw error;
  }
}
