import * as v from 'valibot';
import * as vscode from 'vscode';
import { t } from '../model/text/l10n.ts';
import { UserError } from '../model/text/userError.ts';
import { DeclinedError } from './prompts/declinedError.ts';
import { type CommandId, titleCommandIds } from './ids.ts';
import { loadOnce } from '../model/async/loadOnce.ts';
import type { Log } from './log.ts';
import { readableError, reportError } from './reportError.ts';

/** A tree element that a menu hands to a command: the contract's argument object travels inside it. */
export interface CarriesArgument {
  readonly argument: object;
}

/** Where a call came from: a menu of a view, the palette, or a caller with an argument object of its own. */
export type CalledFrom = 'menu' | 'palette' | 'caller';

/** Registers the commands of the public contract (design: section 4). */
export class Commands implements vscode.Disposable {
  readonly #registered: vscode.Disposable[] = [];
  readonly #log: Log;

  constructor(log: Log) {
    this.#log = log;
  }

  /**
   * Registers a command. Its handler gets the argument object, if there is one, and returns plain JSON. From
   * the palette, a keybinding or another extension a failure rejects with a readable Error; from a menu of a
   * view, where nobody waits for the answer, it is shown. A user who declined is not told so.
   * @param schema of the argument object; every entry optional that the palette can ask for
   */
  register<const Schema extends v.GenericSchema>(
    id: CommandId,
    schema: Schema,
    handler: (argument: v.InferOutput<Schema> | undefined, from: CalledFrom) => unknown,
  ): void {
    const run = async (...all: unknown[]): Promise<unknown> => {
      const [given] = all;
      const inMenu = carriesArgument(given);
      const argument = inMenu ? given.argument : given;
      if (isOfLostElement(id, all)) {
        reportError(this.#log, id, new UserError(t('The view was just redrawn. Click again.')));
        return undefined;
      }
      const from = inMenu ? 'menu' : isArgument(argument) ? 'caller' : 'palette';
      try {
        return await handler(
          isArgument(argument) ? await parseArgument(id, schema, argument) : undefined,
          from,
        );
      } catch (error) {
        if (error instanceof DeclinedError && from !== 'caller') return undefined;
        if (!inMenu) throw readableError(this.#log, id, error);
        reportError(this.#log, id, error);
        return undefined;
      }
    };
    this.#registered.push(vscode.commands.registerCommand(id, run));
  }

  /**
   * Registers commands whose code is loaded when the first of them is called, so that activation need not
   * load it. A load that failed is tried again by the next call.
   * @param load loads the code; what it returns registers all of `ids`
   */
  registerLazily(ids: readonly CommandId[], load: () => Promise<() => void>): void {
    const ready = loadOnce(async () => {
      const register = await load();
      for (const standIn of standIns) standIn.dispose();
      register();
    });
    const standIns = ids.map((id) =>
      vscode.commands.registerCommand(id, async (...given: unknown[]) => {
        try {
          await ready();
        } catch (error) {
          throw readableError(this.#log, id, error);
        }
        return vscode.commands.executeCommand(id, ...given);
      }),
    );
    this.#registered.push(...standIns);
  }

  dispose(): void {
    for (const command of this.#registered) command.dispose();
  }
}

function carriesArgument(given: unknown): given is CarriesArgument {
  return typeof given === 'object' && given !== null && 'argument' in given;
}

/**
 * A menu of an element hands over the element and the selection. While the view is drawn anew the editor does
 * not know its elements, and hands over undefined: whoever clicked must not be taken for one who named nothing.
 * The title of a view does the same where nothing has the focus.
 */
function isOfLostElement(id: CommandId, given: readonly unknown[]): boolean {
  return given.length > 1 && given[0] === undefined && !titleCommandIds.has(id);
}

/** View titles hand over nothing, or null; some menus hand over a URI. Neither is an argument object. */
function isArgument(given: unknown): given is object {
  return typeof given === 'object' && given !== null && !(given instanceof vscode.Uri);
}

async function parseArgument<Schema extends v.GenericSchema>(
  id: CommandId,
  schema: Schema,
  argument: object,
): Promise<v.InferOutput<Schema>> {
  const read = v.safeParse(schema, argument);
  if (read.success) return read.output;
  const { valueProblem } = await import('../model/text/valueProblem.ts');
  const [issue] = read.issues;
  throw new UserError(t('The argument of {0} does not fit: {1}', id, valueProblem(issue, id)));
}
