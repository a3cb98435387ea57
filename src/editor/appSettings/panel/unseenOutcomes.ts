import type { ApplyOutcome, FormApp } from '../../../model/settings/formProtocol.ts';
import { formAppKey } from '../appliedSettings.ts';

interface Apply {
  outcome: Promise<ApplyOutcome>;
  isOver: boolean;
}

/**
 * The applies of each form whose outcome its page may not have shown. A page that is hidden while it waits is
 * destroyed: the next one asks here.
 */
export class UnseenOutcomes {
  readonly #byApp = new Map<string, Apply>();

  /** @param outcome of an apply that has just begun; never rejects */
  begin(app: FormApp, outcome: Promise<ApplyOutcome>): Promise<ApplyOutcome> {
    const apply: Apply = { outcome, isOver: false };
    this.#byApp.set(formAppKey(app), apply);
    void outcome.then(() => {
      apply.isOver = true;
    });
    return outcome;
  }

  of(app: FormApp): Promise<ApplyOutcome> | undefined {
    return this.#byApp.get(formAppKey(app))?.outcome;
  }

  /** A page that has shown an outcome says so by what it keeps then. */
  noteKept(app: FormApp): void {
    if (this.#byApp.get(formAppKey(app))?.isOver === true) this.#byApp.delete(formAppKey(app));
  }
}
