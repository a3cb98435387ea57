import type { Again } from '../../model/text/remedy.ts';
import { UserError } from '../../model/text/userError.ts';
import { DeclinedError } from '../prompts/declinedError.ts';
import { logError } from '../log.ts';
import { readableError } from '../reportError.ts';
import { remediesOf } from './defaultRemedies.ts';
import { type VerbParts, verbsOf } from './verbs.ts';

/** The editor folds the buttons of a message away where there are more. */
const mostVerbs = 3;

/** Shows an error where nobody waits for an answer, with the verbs that mend it and go on. */
export class ErrorSurface {
  readonly #parts: VerbParts;

  constructor(parts: VerbParts) {
    this.#parts = parts;
  }

  /** Shows it, where nobody waits for what the user makes of it. */
  report(what: string, error: unknown, again: Again): void {
    this.show(what, error, again).catch((failure: unknown) => logError(this.#parts.log, failure));
  }

  /**
   * Resolves when the message was answered, and what it was answered with is done. A user who declined is not told so.
   * @param what what failed, as a sentence without its end: the title of a command
   * @param again runs it once more
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
