import { AsyncLocalStorage } from 'node:async_hooks';
import * as v from 'valibot';
import * as vscode from 'vscode';
import {
  type ConfigurationCall,
  configurationCall,
  withoutTextProblem,
} from '../model/tasks/configurationCall.ts';
import { t } from '../model/text/l10n.ts';
import { UserError } from '../model/text/userError.ts';
import type { ErrorSurface } from './errors/errorSurface.ts';
import {
  type CommandId,
  type CommandIdOf,
  commandIdsOf,
  commandsForCallers,
  type Feature,
  titleCommandIds,
} from './ids.ts';
import { loadOnce } from '../model/async/loadOnce.ts';
import type { Log } from './log.ts';
import { readableError } from './reportError.ts';

/** What a menu or a click passes to a command. It contains the argument object of the contract. */
export interface CarriesArgument {
  readonly argument: object;
  /** The argument says all: nothing is asked that a caller is not asked either. */
  readonly saysAll?: boolean;
}

/** The same symbol in each bundle. */
const rowMark = Symbol.for('runhook.row');

/** A row of a view. Its menu passes it to a command, and so does the title of the view while the row has the focus. */
export interface Row extends CarriesArgument {
  readonly [rowMark]: true;
}

/** Makes a row. A copy of it is one as well. */
export function row<Of extends CarriesArgument>(of: Of): Of & Row {
  return { ...of, [rowMark]: true };
}

/**
 * The arguments of a command that a click runs. Leaving one of its questions is silent, and a failure is shown with its
 * remedies; an argument by itself would be that of a caller, whose failure the editor shows as it is.
 */
export function clicked(argument: object, saysAll = false): [CarriesArgument] {
  return [saysAll ? { argument, saysAll } : { argument }];
}

/** Where a call came from: a menu of a view, the palette, or a caller with an argument object of its own. */
export type CalledFrom = 'menu' | 'palette' | 'caller';

/** A command of the public contract (design: section 4). */
export interface Command {
  readonly schema: v.GenericSchema;
  run(argument: unknown, from: CalledFrom): unknown;
}

/** The commands of a feature, each id with its handler. */
export type CommandsOf<F extends Feature> = Record<CommandIdOf<F>, Command>;

/** A registered feature. Its commands are loaded when the first of them is called. */
export interface Provides<F extends Feature> {
  commands(): Promise<CommandsOf<F>>;
  dispose(): void;
}

/** Loads the commands of each feature. */
export type CommandLoaders = { [F in Feature]: () => Promise<CommandsOf<F>> };

/**
 * Defines a command. Its handler gets the argument object, if there is one, and returns plain JSON.
 * @param schema the schema of the argument object. Each entry that the palette can ask for is optional.
 */
export function command<const Schema extends v.GenericSchema>(
  schema: Schema,
  run: (argument: v.InferOutput<Schema> | undefined, from: CalledFrom) => unknown,
): Command {
  return { schema, run };
}

/** The argument object for the document with this URI, if any. Menus of editors pass only the URI. */
export type ArgumentOf = (document: vscode.Uri) => object | undefined;

export interface CommandsParts {
  loaders: CommandLoaders;
  argumentOf: ArgumentOf;
  errors: Pick<ErrorSurface, 'report'>;
  /** The title of a command, as the user sees it. */
  titleOf: (id: CommandId) => string;
  log: Log;
}

/** Follows all that comes of a gesture. */
const gestures = new AsyncLocalStorage<true>();

/** Whether what runs now was asked for by a click, a menu or the palette, and not by a task or another caller. */
export function isGesture(): boolean {
  return gestures.getStore() === true;
}

function asGesture<T>(run: () => T): T {
  return gestures.run(true, run);
}

/** Runs commands. A feature's commands are loaded on the first call of one; a failed load is retried on the next. */
export class Commands {
  readonly #loadOf = new Map<CommandId, () => Promise<Partial<Record<CommandId, Command>>>>();
  readonly #log: Log;
  readonly #argumentOf: ArgumentOf;
  readonly #errors: CommandsParts['errors'];
  readonly #titleOf: CommandsParts['titleOf'];

  constructor({ loaders, argumentOf, errors, titleOf, log }: CommandsParts) {
    this.#log = log;
    this.#argumentOf = argumentOf;
    this.#errors = errors;
    this.#titleOf = titleOf;
    for (const feature of Object.keys(commandIdsOf) as Feature[]) {
      const load = loadOnce<Partial<Record<CommandId, Command>>>(loaders[feature]);
      for (const id of Object.values(commandIdsOf[feature]) as CommandId[]) this.#loadOf.set(id, load);
    }
  }

  /**
   * Runs a command with the arguments that the editor passes. A caller with an argument object gets a failure as a
   * readable Error. From a menu or the palette, where no caller waits for the result, the failure is shown with its
   * remedies, and the result is undefined. If the user declined, nothing is shown.
   */
  async run(id: CommandId, args: readonly unknown[]): Promise<unknown> {
    const [first] = args;
    // The row that has the focus says nothing about a command in the title of its view.
    if (isRow(first) && titleCommandIds.has(id)) return this.run(id, []);
    const ofDocument = first instanceof vscode.Uri ? this.#argumentOf(first) : undefined;
    const given = ofDocument === undefined ? first : { argument: ofDocument };
    if (carriesArgument(given)) {
      const from = given.saysAll === true ? 'caller' : 'menu';
      return (await this.#attempt(id, given.argument, from))?.result;
    }
    const call = configurationCall(id, args, writtenInputs);
    const argument = argumentIn(given, call);
    const isCall = call !== undefined || commandsForCallers.has(id) || argument !== undefined;
    const from = isCall ? 'caller' : 'palette';
    if (isOfLostElement(id, args)) {
      this.#show(id, new UserError(t('The view was just redrawn. Click again.')), undefined, from);
      return undefined;
    }
    if (from !== 'caller') return (await this.#attempt(id, argument, from))?.result;
    try {
      const problem = call && withoutTextProblem(id, call);
      if (problem !== undefined) throw new UserError(problem);
      return await this.#perform(id, argument, from);
    } catch (error) {
      throw readableError(this.#log, id, error);
    }
  }

  /** Runs a command as from the palette. @returns false if it failed, which is shown, or the user declined */
  async done(id: CommandId, argument?: object): Promise<boolean> {
    return (await this.#attempt(id, argument, 'palette')) !== undefined;
  }

  /** Undefined if it failed, which is shown, or the user declined. */
  async #attempt(
    id: CommandId,
    argument: object | undefined,
    from: CalledFrom,
  ): Promise<{ result: unknown } | undefined> {
    try {
      return { result: await asGesture(() => this.#perform(id, argument, from)) };
    } catch (error) {
      this.#show(id, error, argument, from);
      return undefined;
    }
  }

  async #perform(id: CommandId, argument: object | undefined, from: CalledFrom): Promise<unknown> {
    const found = (await this.#loadOf.get(id)?.())?.[id];
    if (found === undefined) throw new Error(`There is no command ${id}.`);
    const parsed = argument && (await parseArgument(id, found.schema, argument));
    return found.run(parsed, from);
  }

  #show(id: CommandId, error: unknown, argument: object | undefined, from: CalledFrom): void {
    this.#errors.report(this.#titleOf(id), error, (change) =>
      asGesture(() => this.#perform(id, (argument ?? change) && { ...argument, ...change }, from)),
    );
  }
}

/** The argument object of a call from outside a menu. A value that VS Code fills in does not count as one. */
function argumentIn(given: unknown, call: ConfigurationCall | undefined): object | undefined {
  if (call === 'variable') return {};
  return isArgument(given) ? given : undefined;
}

/** The inputs of tasks.json and launch.json, of the user, the workspace and each folder. */
function writtenInputs(): unknown[] {
  return [undefined, ...(vscode.workspace.workspaceFolders ?? [])].flatMap((folder) =>
    ['tasks', 'launch'].flatMap((file) => {
      const inputs = vscode.workspace.getConfiguration(file, folder).inspect<unknown>('inputs');
      return [inputs?.globalValue, inputs?.workspaceValue, inputs?.workspaceFolderValue].flat();
    }),
  );
}

function isRow(given: unknown): given is Row {
  return typeof given === 'object' && given !== null && rowMark in given;
}

function carriesArgument(given: unknown): given is CarriesArgument {
  return typeof given === 'object' && given !== null && 'argument' in given;
}

/**
 * Whether a menu lost the row it was opened on. The menu of a row passes the row and the selection. While the view is
 * redrawn the editor does not know its rows and passes undefined, which must not count as a call without an argument.
 * The title of a view also passes undefined if no row has the focus; its commands are excluded.
 */
function isOfLostElement(id: CommandId, given: readonly unknown[]): boolean {
  return given.length > 1 && given[0] === undefined && !titleCommandIds.has(id);
}

/** View titles pass nothing or null, and some menus pass a URI. None of these is an argument object. */
function isArgument(given: unknown): given is object {
  return typeof given === 'object' && given !== null && !(given instanceof vscode.Uri);
}

async function parseArgument(id: CommandId, schema: v.GenericSchema, argument: object): Promise<unknown> {
  const read = v.safeParse(schema, argument);
  if (read.success) return read.output;
  const { valueProblem } = await import('../model/text/valueProblem.ts');
  const [issue] = read.issues;
  throw new UserError(t('The argument of {0} does not fit: {1}', id, valueProblem(issue, id)));
}
