import * as v from 'valibot';
import * as vscode from 'vscode';
import { readPayload } from '../../model/payload.ts';
import type { Project } from '../../model/project.ts';
import { UserError } from '../../model/userError.ts';
import type { Commands } from '../commands.ts';
import { DeclinedError } from '../declinedError.ts';
import { commandIds } from '../ids.ts';
import { type PayloadStore } from './payloadStore.ts';
import { isComplete, runApp, runAppSchema, type RunAppResult } from './runApp.ts';
import type { AppChoice, RunChoices } from './runChoices.ts';
import type { RunHistory } from './runHistory.ts';
import type { Runner } from './runner.ts';
import type { RunView } from './runView.ts';

export interface RunCommandsParts {
  projects: { all(): Project[]; get(projectId: string): Project };
  payloads: PayloadStore;
  choices: RunChoices;
  runner: Runner;
  view: RunView;
  history: RunHistory;
}

const optionalText = v.optional(v.string());
const appSchema = v.object({ projectId: optionalText, appName: optionalText, name: optionalText });
const fileSchema = v.object({ file: optionalText, webhook: v.optional(v.boolean()) });
const idSchema = v.object({ id: optionalText });

interface GivenApp {
  projectId?: string | undefined;
  appName?: string | undefined;
  /** Of the payload. */
  name?: string | undefined;
}

/** The commands of running: from the palette they ask, with a whole argument they do not. */
export class RunCommands {
  readonly #parts: RunCommandsParts;

  constructor(parts: RunCommandsParts) {
    this.#parts = parts;
  }

  register(commands: Commands): void {
    const { runner, view } = this.#parts;
    commands.register(commandIds.runApp, runAppSchema, (argument) =>
      isComplete(argument) ? runApp(runner, argument) : this.#askAndRun(argument ?? {}),
    );
    commands.register(commandIds.runPayload, appSchema, (argument) => this.#runPayload(argument ?? {}));
    commands.register(commandIds.openPayload, appSchema, (argument) => this.#openPayload(argument ?? {}));
    commands.register(commandIds.runFile, fileSchema, (argument) => quietly(this.#runFile(argument ?? {})));
    commands.register(commandIds.runAgain, idSchema, (argument) => quietly(view.again(argument?.id)));
    commands.register(commandIds.openRunDelivery, idSchema, (argument) => this.#openDelivery(argument?.id));
    commands.register(commandIds.cancelRun, idSchema, (argument) => view.cancel(argument?.id));
  }

  /** The palette's *Run App…*: which app, which payload, with or without the webhook. */
  async #askAndRun(given: GivenApp): Promise<RunAppResult> {
    const { choices } = this.#parts;
    const app = picked(await this.#app(given));
    const uri = picked(await choices.payload(app));
    return this.#run(uri, app, picked(await choices.webhook()));
  }

  /** The tree's *Run App…*: opens the payload that was last run, so that what is sent is seen, and runs it. */
  async #runPayload(given: GivenApp): Promise<RunAppResult> {
    const { choices } = this.#parts;
    const app = picked(await this.#app(given));
    const uri = await choices.lastPayload(app);
    await vscode.window.showTextDocument(uri, { preview: false });
    return this.#run(uri, app, picked(await choices.webhook()));
  }

  /** Opens the payload that was last run; `name: ''` asks which one. */
  async #openPayload(given: GivenApp): Promise<string | undefined> {
    const { choices } = this.#parts;
    const app = await this.#app(given);
    if (app === undefined) return undefined;
    const uri = await {
      last: () => choices.lastPayload(app),
      ask: () => choices.payload(app),
      named: () => choices.named({ ...app, name: given.name ?? '' }),
    }[given.name === undefined ? 'last' : given.name === '' ? 'ask' : 'named']();
    if (uri === undefined) return undefined;
    await vscode.window.showTextDocument(uri);
    return uri.toString();
  }

  /** Opens what was delivered for a run of the history. */
  async #openDelivery(id: string | undefined): Promise<void> {
    const delivery = this.#parts.history.all().find((run) => run.id === id)?.delivery;
    if (delivery === undefined) throw new UserError(vscode.l10n.t('Nothing was delivered for this run.'));
    await vscode.commands.executeCommand(commandIds.openDelivery, { id: delivery.id });
  }

  /** *Run App with This File*: a payload knows its app; any other JSON file is asked for. */
  async #runFile({ file, webhook }: v.InferOutput<typeof fileSchema>): Promise<RunAppResult> {
    const { payloads, choices, projects } = this.#parts;
    const uri =
      file === undefined ? vscode.window.activeTextEditor?.document.uri : vscode.Uri.parse(file, true);
    if (uri === undefined) throw new UserError(vscode.l10n.t('Open the JSON file to run an app with first.'));
    const owner = payloads.owner(uri);
    if (owner !== undefined) {
      await choices.remember(owner);
      return this.#run(uri, owner, webhook);
    }
    const app = picked(await choices.app(projects.all()));
    return this.#run(uri, app, webhook ?? picked(await choices.webhook()));
  }

  async #run(uri: vscode.Uri, app: AppChoice, webhook: boolean | undefined): Promise<RunAppResult> {
    const document = await vscode.workspace.openTextDocument(uri);
    if (document.isDirty && this.#parts.payloads.owner(uri) !== undefined) await document.save();
    const { path, method, headers, body, webhook: own } = readPayload(document.getText(), vscode.l10n.t);
    // An address of the payload's own is where its webhook goes, whichever way the webhook was chosen.
    const to = webhook === true && typeof own === 'string' ? own : (webhook ?? own ?? false);
    const { projectId, appName } = app;
    return this.#parts.view.run({
      ...{ projectId, appName, path, method, headers, webhook: to },
      ...(body !== undefined && { body }),
    });
  }

  async #app(given: GivenApp): Promise<AppChoice | undefined> {
    const { projectId, appName } = given;
    const { projects, choices } = this.#parts;
    if (projectId !== undefined && appName !== undefined) {
      projects.get(projectId);
      return { projectId, appName };
    }
    return choices.app(projectId === undefined ? projects.all() : [projects.get(projectId)]);
  }
}

/** What was picked; whoever picked nothing has declined. */
function picked<T>(choice: T | undefined): T {
  if (choice === undefined) throw new DeclinedError(vscode.l10n.t('Nothing was run.'));
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
