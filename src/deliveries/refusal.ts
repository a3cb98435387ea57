import type { Attempt, AttemptKind } from '../contract/delivery.ts';
import { isSuccess } from '../shared/http/isSuccess.ts';
import { t } from '../shared/text/l10n.ts';

/** What a handler returned, and to what: a forward that has no kind was sent as it came. */
type Returned = Pick<Attempt, 'status' | 'answer'> & { kind?: AttemptKind };

/** Answers by which a handler says that it does not take a delivery for a genuine one. */
export const refusals = [400, 401, 403];

/** A 401 alone says it; a 400 or a 403 may be about anything. */
export function speaksOfSignature(returned: Pick<Returned, 'status' | 'answer'>): boolean {
  return returned.status === 401 || namesSignature(returned);
}

export function namesSignature({ answer = '' }: Pick<Returned, 'answer'>): boolean {
  return /signature|hmac|secret|verif/i.test(answer);
}

/** What became of what was sent unsigned, which a handler has to reject. */
export interface UnsignedOutcome {
  isRejected: boolean;
  /** In place of the kind of the attempt, and before its status. */
  word: string;
  mark: string;
  /** A sentence. */
  text: string;
}

/** Undefined for all that was not sent unsigned, and for a status that says nothing of the signature, such as 500. */
export function unsignedOutcome(returned: Returned): UnsignedOutcome | undefined {
  const { kind, status = 0 } = returned;
  if (kind !== 'unsigned') return undefined;
  if (isSuccess(status)) {
    return {
      isRejected: false,
      word: t('unsigned: accepted'),
      mark: '⚠',
      text: t('Your handler accepted an unsigned delivery: anybody can send it one.'),
    };
  }
  if (!refusals.includes(status) || !speaksOfSignature(returned)) return undefined;
  return {
    isRejected: true,
    word: t('unsigned: rejected'),
    mark: '✓',
    text: t('Sent unsigned: your handler rejected it, as it should.'),
  };
}

/** Whether an attempt came out as it should. */
export function cameOutRight(returned: Returned): boolean {
  return returned.kind === 'unsigned'
    ? unsignedOutcome(returned)?.isRejected === true
    : isSuccess(returned.status ?? 0);
}

/** A status, behind a mark where it does not say by itself how it came out: `⚠ 200`. */
export function markedStatus(returned: Returned, status: string | number): string {
  const mark = unsignedOutcome(returned)?.mark;
  return mark === undefined ? String(status) : `${mark} ${status}`;
}
