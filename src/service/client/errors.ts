import { tryAgainText } from '../../shared/text/durationText.ts';
import { t } from '../../shared/text/l10n.ts';
import { sentence, sentences } from '../../shared/text/sentences.ts';
import { type Remedy, UserError } from '../../shared/text/userError.ts';
import { deniesAccess } from '../errorMessage.ts';

/** How long the service asks to wait, in milliseconds (`Retry-After`), and when that is over, in Unix milliseconds. */
export interface Wait {
  ms: number;
  until: number;
}

/** The service answered, but not with success, or with no list where one was asked for. */
export class ServiceError extends UserError {
  override readonly name = 'ServiceError';
  readonly status: number;
  /** If the service says when to try again. */
  readonly wait: Wait | undefined;
  /** The whole body of the answer. For searching only, never shown: it may contain anything. */
  readonly body: string;
  /** The message where there is little room, without how long to wait: `502: Bad Gateway`. */
  readonly short: string;

  constructor(
    message: string,
    status: number,
    more: {
      wait?: Wait | undefined;
      body?: string | undefined;
      short?: string;
      remedies?: readonly Remedy[];
    } = {},
  ) {
    super(message, more);
    this.status = status;
    this.wait = more.wait;
    this.body = more.body ?? '';
    this.short = more.short ?? message;
  }

  /** Whether the service refused the token, so that another one may help. */
  get refusesToken(): boolean {
    return this.status === 401 || (this.status === 403 && !deniesAccess(this.message));
  }
}

/**
 * The error for a response without success.
 * @param said what its body says, in one line
 * @param hint what to do about it, where waiting does not help
 */
export function serviceAnswered(
  status: number,
  said: string,
  wait?: Wait,
  body?: string,
  hint?: string,
): ServiceError {
  // The title of an error page often starts with the status.
  const reason = said.replace(new RegExp(`^${status}\\b[\\s:-]*(?=\\S)`), '');
  const message = t('The service returned {0}: {1}', status, reason);
  const next = wait && wait.ms > 0 ? tryAgainText(wait.until, wait.until - wait.ms) : hint;
  const text = next === undefined ? message : sentences(sentence(message), next);
  return new ServiceError(text, status, { wait, body, short: `${status}: ${reason}` });
}

/** An answer began, but broke off before its end. */
export class BrokenOffError extends UserError {
  override readonly name = 'BrokenOffError';
  /** How many bytes of its body came. */
  readonly bytes: number;

  constructor(message: string, bytes: number, cause: unknown) {
    super(message, { cause, remedies: [{ kind: 'tryAgain' }] });
    this.bytes = bytes;
  }
}

/** The service accepted a change, but its answer cannot be read, or is none of it: the change may have been applied. */
export class MaybeAppliedError extends UserError {
  override readonly name = 'MaybeAppliedError';

  constructor(message: string, cause?: unknown) {
    super(message, { cause, remedies: [{ kind: 'tryAgain' }] });
  }
}

/** What to do after a change whose response did not come. */
export function mayBeAppliedText(): string {
  return t('The change may have been applied: apply it again to be sure.');
}

/** No answer came: no network, no such host, a certificate that nobody trusts, a time limit. */
export class UnreachableError extends UserError {
  override readonly name = 'UnreachableError';
  /** Whether trying again could help, unlike with a bad certificate or a bad address. */
  readonly passing: boolean;
  /** The reason alone, where there is little room: `nothing listens there`. */
  readonly short: string;
  /** What a row says, where others than the service may be meant: `service not running`. */
  readonly inRow: string;
  /** Whether the service may have got the request: the connection was made. */
  readonly wasSent: boolean;
  /** Whether the time was up. */
  readonly isTimeout: boolean;

  constructor(
    message: string,
    options: {
      cause?: unknown;
      passing: boolean;
      short?: string;
      inRow?: string;
      wasSent?: boolean;
      isTimeout?: boolean;
      remedies?: readonly Remedy[];
    },
  ) {
    super(message, options);
    this.passing = options.passing;
    this.wasSent = options.wasSent ?? false;
    this.isTimeout = options.isTimeout ?? false;
    this.short = options.short ?? message;
    this.inRow = options.inRow ?? this.short;
  }
}
