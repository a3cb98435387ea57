import { AsyncLocalStorage } from 'node:async_hooks';
import * as v from 'valibot';
import * as vscode from 'vscode';
import { isForCallers, isInTitle } from '../../contract/commandRow.ts';
import {
  type Argument,
  type CommandId,
  type CommandName,
  commandsById,
  type commands,
  type Feature,
  type Result,
} from '../../contract/commands.ts';
import { loadOnce } from '../../shared/async/loadOnce.ts';
import { t } from '../../shared/text/l10n.ts';
import { type Again, mendedBy, UserError } from '../../shared/text/userError.ts';
import { configurationCall, withoutTextProblem } from './configurationCall.ts';
import type { ErrorSurface } from './errorSurface.ts';
import { type Log, readableError } from './log.ts';

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

/**
 * What the commands of a feature do, by their names. A handler gets the argument object, if there is one, and returns
 * plain JSON; nothing if the user left a question.
 */
export type CommandsOf<F extends Feature> = {
  [Name in keyof (typeof commands)[F]]: Name extends CommandName
    ? (argument: Argument<Name> | undefined, from: CalledFrom) => MaybePromise<Result<Name> | undefined>
    : never;
};

type MaybePromise<T> = T | Promise<T>;
type Handlers = Record<CommandName, (argument: unknown, from: CalledFrom) => unknown>;

/** A registered feature. Its commands are loaded when the first of them is called. */
export interface Provides<F extends Feature> {
  commands(): Promise<CommandsOf<F>>;
  dispose(): void;
}

/** Loads the commands of each feature. */
export type CommandLoaders = { [F in Feature]: () => Promise<CommandsOf<F>> };

export interface CommandsParts {
  loaders: CommandLoaders;
  /** The argument object for the document with this URI, if any. Menus of editors pass only the URI. */
  argumentOf: (document: vscode.Uri) => object | undefined;
  errors: Pick<ErrorSurface, 'report'>;
  /** The title of a command, as the user sees it. */
  titleOf: (id: CommandId) => string;
  log: Log;
}

/** Follows all that comes of a gesture. */
const gestures = new AsyncLocalStorage<{ isOnRow: boolean }>();

/** Whether what runs now was asked for by a click, a menu or the palette, and not by a task or another caller. */
export function isGesture(): boolean {
  return gestures.getStore() !== undefined;
}

/** Whether that was on a row of a view, which has the focus. */
export function isGestureOnRow(): boolean {
  return gestures.getStore()?.isOnRow === true;
}

function asGesture<T>(run: () => T, isOnRow = false): T {
  return gestures.run({ isOnRow }, run);
}

/**
 * Does what the user has chosen. Where that fails, the verbs of the message go on with it, and ask for nothing that was
 * chosen: by default they run the whole command again.
 */
export async function asChosen<T>(act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    throw mendedBy(error, [], () => asGesture(() => asChosen(act)));
  }
}

/** Runs commands. A feature's commands are loaded on the first call of one; a failed load is retried on the next. */
export class Commands {
  readonly #parts: CommandsParts;
  readonly #handlersOf: Record<Feature, ReturnType<typeof loadOnce<Handlers>>>;

  constructor(parts: CommandsParts) {
    this.#parts = parts;
    const loaders = Object.entries(parts.loaders) as [Feature, () => Promise<Handlers>][];
    this.#handlersOf = Object.fromEntries(
      loaders.map(([feature, load]) => [feature, loadOnce(load)]),
    ) as Record<Feature, ReturnType<typeof loadOnce<Handlers>>>;
  }

  /**
   * Runs a command with the arguments that the editor passes. A caller with an argument object gets a failure as a
   * readable Error. From a menu or the palette, where no caller waits for the result, the failure is shown with its
   * remedies, and the result is undefined. If the user declined, nothing is shown.
   */
  async run(id: CommandId, args: readonly unknown[]): Promise<unknown> {
    const command = commandsById[id];
    const [first] = args;
    // The row that has the focus says nothing about a command in the title of its view.
    if (isRow(first) && isInTitle(command)) return this.run(id, []);
    // The menu of a row passes the row and the selection. While the view is redrawn the editor does not know its rows and
    // passes undefined, as titles of views do if no row has the focus.
    if (first === undefined && args.length > 1 && !isInTitle(command)) {
      this.#show(id, new UserError(t('The view was just redrawn. Click again.')), undefined, 'palette');
      return undefined;
    }
    const ofDocument = first instanceof vscode.Uri ? this.#parts.argumentOf(first) : undefined;
    const given = ofDocument === undefined ? first : { argument: ofDocument };
    if (carriesArgument(given)) {
      const from = given.saysAll === true ? 'caller' : 'menu';
      return (await this.#attempt(id, given.argument, from, { isOnRow: isRow(first) }))?.result;
    }
    const call = configurationCall(id, args, writtenInputs);
    // What VS Code fills in is no argument.
    const argument = call === 'variable' ? {} : isArgument(given) ? given : undefined;
    if (call === undefined && argument === undefined && !isForCallers(command)) {
      return (await this.#attempt(id, undefined, 'palette'))?.result;
    }
    try {
      const problem = call && withoutTextProblem(id, call);
      if (problem !== undefined) throw new UserError(problem);
      return await this.#perform(id, argument, 'caller');
    } catch (error) {
      throw readableError(this.#parts.log, id, error);
    }
  }

  /**
   * Runs a command as from the palette, and `then` once it has succeeded. If it fails, which is shown, that may be after a
   * verb of the message.
   */
  async done(id: CommandId, argument?: object, then?: () => Promise<unknown>): Promise<void> {
    const done = await this.#attempt(id, argument, 'palette', { then });
    if (done !== undefined) await then?.();
  }

  /** Undefined if it failed, which is shown, or the user declined. */
  async #attempt(
    id: CommandId,
    argument: object | undefined,
    from: CalledFrom,
    { isOnRow = false, then }: { isOnRow?: boolean; then?: (() => Promise<unknown>) | undefined } = {},
  ): Promise<{ result: unknown } | undefined> {
    try {
      return { result: await asGesture(() => this.#perform(id, argument, from), isOnRow) };
    } catch (error) {
      this.#show(id, error, argument, from, then);
      return undefined;
    }
  }

  async #perform(id: CommandId, given: object | undefined, from: CalledFrom): Promise<unknown> {
    const { feature, name, argument: schema = noArgument } = commandsById[id];
    const handlers = await this.#handlersOf[feature]();
    return handlers[name](given && (await parseArgument(id, schema, given)), from);
  }

  #show(
    id: CommandId,
    error: unknown,
    argument: object | undefined,
    from: CalledFrom,
    then?: () => Promise<unknown>,
  ): void {
    const { errors, titleOf } = this.#parts;
    const again: Again = (change) =>
      asGesture(() => this.#perform(id, (argument ?? change) && { ...argument, ...change }, from));
    errors.report(titleOf(id), error, again, then);
  }
}

const noArgument = v.object({});

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

/** View titles pass nothing or null, and some menus pass a URI. None of these is an argument object. */
function isArgument(given: unknown): given is object {
  return typeof given === 'object' && given !== null && !(given instanceof vscode.Uri);
}

async function parseArgument(id: CommandId, schema: v.GenericSchema, argument: object): Promise<unknown> {
  const read = v.safeParse(schema, argument);
  if (read.success) return read.output;
  const { valueProblem } = await import('../../shared/text/valueProblem.ts');
  const [issue] = read.issues;
  throw new UserError(t('The argument of {0} is not valid: {1}', id, valueProblem(issue, id)));
}
