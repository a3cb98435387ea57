import type { Draft, FormApp } from '../../../model/settings/formProtocol.ts';
import { formAppKey } from '../appliedSettings.ts';

/** What was typed into forms and not applied, by project and app. It lives as long as the window. */
export class Drafts {
  readonly #drafts = new Map<string, Draft>();

  get(app: FormApp): Draft | undefined {
    return this.#drafts.get(formAppKey(app));
  }

  keep(app: FormApp, draft: Draft): void {
    const isEmpty = Object.keys(draft.typed).length === 0;
    if (isEmpty) this.#drafts.delete(formAppKey(app));
    else this.#drafts.set(formAppKey(app), draft);
  }
}
