import { ServiceError } from '../../service/client/errors.ts';
import { cleanToken } from '../../service/keys/token.ts';
import { noAddress, type Service } from '../../service/endpoints.ts';
import { failureText } from '../../shared/http/failureReason.ts';
import type { InputOptions } from '../kit/prompts.ts';
import type { AccountRef } from '../../service/projects/project.ts';
import type { KeyLists } from './keyLists.ts';
import { remediesOf } from '../kit/defaultRemedies.ts';
import { t } from '../../shared/text/l10n.ts';
import { capitalized, sentence, sentences } from '../../shared/text/sentences.ts';
import { UserError } from '../../shared/text/userError.ts';

/** The longest wait for the response before a token is stored, in milliseconds. */
const timeoutMs = 10_000;

/** Checks, before a token is stored, whether the service accepts it: by listing the keys once. */
export class TokenCheck {
  readonly #keyLists: Pick<KeyLists, 'ask'>;
  readonly #holds: (service: Service, ref: AccountRef) => Promise<boolean>;
  readonly #report: (error: UserError, ref: AccountRef) => void;
  /** The last token, if it could not be checked, and why. */
  #unchecked: { token: string; ref: AccountRef; reason: string; error: unknown } | undefined;
  /** The last token that the service refused, and with which status. */
  #refused: { token: string; status: number } | undefined;
  /** The last token with which the service refused the request for another reason. */
  #leftToView: string | undefined;

  /**
   * @param holds whether a token of the account is stored already: only a token that works replaces it unasked
   * @param report says what is wrong about the token of an account
   */
  constructor(
    keyLists: Pick<KeyLists, 'ask'>,
    holds: (service: Service, ref: AccountRef) => Promise<boolean>,
    report: (error: UserError, ref: AccountRef) => void,
  ) {
    this.#report = report;
    this.#keyLists = keyLists;
    this.#holds = holds;
  }

  /** The check for an input box that takes the token of an account. */
  of(service: Service, ref: AccountRef): NonNullable<InputOptions['check']> {
    return async (text, signal) => {
      this.#unchecked = undefined;
      this.#refused = undefined;
      this.#leftToView = undefined;
      if (text.trim() === '') return undefined;
      const token = cleanToken(text);
      if (service.baseUrl === '') {
        const error = noAddress(ref.projectId);
        this.#unchecked = { token, ref, error, reason: error.brief ?? '' };
        return undefined;
      }
      const timeout = AbortSignal.timeout(timeoutMs);
      try {
        await this.#keyLists.ask(service, token, ref, AbortSignal.any([signal, timeout]));
        return undefined;
      } catch (error) {
        // Its question was closed: nothing is stored.
        if (signal.aborted) return undefined;
        if (error instanceof ServiceError && error.refusesToken) {
          this.#refused = { token, status: error.status };
          const said = withoutEnd(error.short);
          return (await this.#holds(service, ref))
            ? t(
                'The service rejected this token ({0}); the old one is kept. Paste another, or press Enter again to replace it anyway.',
                said,
              )
            : t(
                'The service rejected this token ({0}). Paste another, or press Enter again to store it anyway.',
                said,
              );
        }
        const why = timeout.aborted ? t('the service took too long to respond') : failureText(error);
        const reason = sentence(capitalized(why));
        // Any other client error (below 429), such as an unknown id, is shown in the view.
        const isLeft = error instanceof ServiceError && error.status >= 400 && error.status < 429;
        if (isLeft) this.#leftToView = token;
        else this.#unchecked = { token, ref, reason, error };
        return (await this.#holds(service, ref))
          ? sentences(
              t('This token could not be checked.'),
              reason,
              t('The old one is kept. Press Enter again to replace it anyway.'),
            )
          : undefined;
      }
    };
  }

  /** The status with which the service has refused a token that is stored all the same; undefined for any other. */
  refusal(stored: string): number | undefined {
    return this.#refused?.token === stored ? this.#refused.status : undefined;
  }

  /** Whether the view is to say what the service answered to a token that is stored. */
  leavesToView(stored: string): boolean {
    return this.#leftToView === stored;
  }

  /** Says so if the token that is stored now is one that could not be checked. */
  tell(stored: string): void {
    const unchecked = this.#unchecked;
    this.#unchecked = undefined;
    if (unchecked?.token !== stored) return;
    const { reason, error, ref } = unchecked;
    const remedies = error instanceof UserError ? remediesOf(error) : [{ kind: 'tryAgain' } as const];
    this.#report(
      new UserError(sentences(t('The token was stored, but could not be checked.'), reason), {
        remedies,
      }),
      ref,
    );
  }
}

/** The words of another within a sentence. */
function withoutEnd(text: string): string {
  return text.replace(/\.$/, '');
}
