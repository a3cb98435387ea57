import * as vscode from 'vscode';
import { ServiceError } from '../../../client/errors.ts';
import { cleanToken } from '../../../model/keys/token.ts';
import type { Service } from '../../../model/service/endpoints.ts';
import { failureText } from '../../../model/service/failureReason.ts';
import type { InputOptions } from '../../prompts/prompts.ts';
import type { AccountRef } from '../../../model/projects/project.ts';
import type { KeyLists } from '../keys/keyLists.ts';
import { t } from '../../../model/text/l10n.ts';

/** Nobody waits longer for an answer before a token is stored, in milliseconds. */
const patienceMs = 5000;

/** Asks the service, before a token is stored, whether it takes it: by one list of keys. */
export class TokenCheck {
  readonly #keyLists: KeyLists;
  /** Why the last token could not be checked. */
  #unchecked: string | undefined;

  constructor(keyLists: KeyLists) {
    this.#keyLists = keyLists;
  }

  /** The check of a box for the token of an account. */
  of(service: Service, ref: AccountRef): NonNullable<InputOptions['check']> {
    return async (text, signal) => {
      this.#unchecked = undefined;
      if (text.trim() === '' || service.baseUrl === '') return undefined;
      const late = AbortSignal.timeout(patienceMs);
      try {
        await this.#keyLists.ask(service, cleanToken(text), ref, AbortSignal.any([signal, late]));
        return undefined;
      } catch (error) {
        if (error instanceof ServiceError && error.refusesToken) {
          return t(
            'The service refused this token ({0}). Paste another, or press Enter again to store it anyway.',
            error.status,
          );
        }
        // Any other fault that it finds with the call, an unknown id for instance, is shown in the view.
        if (error instanceof ServiceError && error.status < 429) return undefined;
        this.#unchecked = late.aborted ? t('the service took too long to answer') : failureText(error);
        return undefined;
      }
    };
  }

  /** Says so where the token that was entered last could not be checked. */
  tell(): void {
    if (this.#unchecked === undefined) return;
    const reason = this.#unchecked;
    this.#unchecked = undefined;
    void vscode.window.showWarningMessage(t('The token was stored, but not checked: {0}', reason));
  }
}
