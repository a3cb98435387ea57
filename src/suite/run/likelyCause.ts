import { t } from '../../model/text/l10n.ts';
import type { VariantName } from '../fixture/fixtureSchema.ts';
import type { Exchange } from './exchange.ts';

/** What the handler probably does wrong, in a sentence or two; undefined if there is no good guess. */
export function likelyCause(
  kind: VariantName,
  { answer, problem }: Exchange,
  { isSigned, isToBeRefused }: { isSigned: boolean; isToBeRefused: boolean },
): string | undefined {
  if (problem !== undefined) {
    return problem.kind === 'late'
      ? t(
          'The handler hangs, or does its work before it answers. The service counts a time-out as a failure, and sends again.',
        )
      : undefined;
  }
  const status = answer?.status ?? 0;
  if (status >= 500) {
    return t('The handler failed. The service never repeats a 5xx, so such a delivery is lost.');
  }
  if (status === 404) {
    return t('There is nothing at this path, or the handler refuses with 404. The service repeats a 404.');
  }
  if (status >= 300 && status < 400)
    return t(
      'The service counts a redirect as a failure, and sends again. Use the address that it leads to.',
    );
  if (status < 300) return isToBeRefused ? accepted(kind) : undefined;
  return refused(kind, status, isSigned);
}

/** The likely cause if the handler accepted a delivery that it had to refuse. */
function accepted(kind: VariantName): string | undefined {
  switch (kind) {
    case 'bad-signature':
      return t('The handler took a delivery with a wrong signature: it may not check the signature at all.');
    case 'body-changed':
      return t(
        'The handler took a delivery whose body was changed after it was signed: it may check the signature over something else than the raw body.',
      );
    case 'stale':
      return t(
        'The handler took a delivery that was signed an hour ago: compare its timestamp with the time of now.',
      );
    case 'missing-header':
      return t('The handler took a delivery without a timestamp: the timestamp is part of what is signed.');
    default:
      return undefined;
  }
}

/** The likely cause if the handler refused a delivery that it had to accept. */
function refused(kind: VariantName, status: number, isSigned: boolean): string | undefined {
  if (kind === 'repeat') {
    return t('The handler refused a repeat. Answer 2xx to what you have: the service may send it again.');
  }
  if (kind === 'out-of-order') {
    return t(
      'The handler refused a delivery because a newer one came first: one that is sent again comes late.',
    );
  }
  if (kind !== 'as it is') return undefined;
  if (status === 405) return t('The handler does not take this method: the service sends POST.');
  if (status === 413) return t('The handler accepts only bodies that are smaller than this one.');
  if (status !== 400 && status !== 401 && status !== 403) return undefined;
  return isSigned
    ? t(
        'The handler refused a genuine delivery: it may verify a re-serialised body, so use the raw bytes; or it holds another secret.',
      )
    : t('The delivery was sent without a signature: name the secret that the handler holds.');
}

/** The likely cause if the app's state afterwards is not as expected. */
export function causeAfterwards(kind: VariantName): string | undefined {
  switch (kind) {
    case 'repeat':
      return t(
        'The handler processed the repeat a second time: remember the request ids that you have processed, and answer 2xx to them.',
      );
    case 'as it is':
    case 'out-of-order':
      return undefined;
    default:
      return t(
        'The handler refused the delivery, but acted on it all the same: verify before anything else.',
      );
  }
}
