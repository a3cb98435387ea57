import type { Again } from '../../model/text/remedy.ts';
import { UserError } from '../../model/text/userError.ts';
import { DeclinedError } from '../prompts/declinedError.ts';
import { logError } from '../log.ts';
import { readableError } from '../reportError.ts';
import { remediesOf } from './defaultRemedies.ts';
import { type VerbParts, verbsOf } from './verbs.ts';

/** The most buttons a message may have: the editor collapses more than that. */
const mostVerbs = 3;

/** Shows errors of work that no caller waits for, with buttons that fix the cause and continue. */
export class ErrorSurface {
  readonly #parts: VerbParts;

  constructor(parts: VerbParts) {
    this.#parts = parts;
  }

  /** Like {@link show}, but does not wait for the user's answer. */
  report(what: string, error: unknown, again: Again): void {
    this.show(what, error, again).catch((failure: unknown) => logError(this.#parts.log, failure));
  }

  /**
   * Shows an error. Resolves when the user has answered the message and the chosen verb is done. A `DeclinedError` is
   * not shown.
   * @param what what failed, as the start of a sentence: the title of a command
   * @param again runs it again
   */
  async show(what: string, error: unknown, again: Again): Promise<void> {
    if (error instanceof DeclinedError) return;
    const { prompts, log } = this.#parts;
    const { message: whole } = readableError(log, what, error);
    const remedies = error instanceof UserError ? remediesOf(error) : [{ kind: 'showLog' } as const];
    const verbs = verbsOf(remedies).slice(0, mostVerbs);
    const titles = verbs.map(({ title }) => title);
    const brief = error instanceof UserError && verbs.length > 0 ? error.brief : undefined;
    const message = brief ?? whole;
    const picked = await prompts.tell(message, titles);
    const goOn = error instanceof UserError ? (error.again ?? again) : again;
    try {
      await verbs.find(({ title }) => title === picked)?.run(this.#parts, goOn);
    } catch (failure) {
      await this.show(what, failure, again);
    }
  }
}
