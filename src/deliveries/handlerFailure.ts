import { basename } from 'node:path';
import { type Attempt, attemptErrors, type FailurePlace, type WholeDelivery } from '../contract/delivery.ts';
import { httpUrl } from '../service/endpoints.ts';
import { headerOf, vendorOf } from '../service/signature/signature.ts';
import { type HeldSecret, verifiesAt } from '../service/signature/webhookSecret.ts';
import { SecretMask } from '../shared/masking/secretMask.ts';
import { pastText, spanText, waitText } from '../shared/text/durationText.ts';
import { isNotHttp, isOfCertificate } from '../shared/http/failureReason.ts';
import { isRedirect } from '../shared/http/isRedirect.ts';
import { t } from '../shared/text/l10n.ts';
import { plainText } from '../shared/text/plainText.ts';
import { capitalized } from '../shared/text/sentences.ts';
import { isTaken } from './forwardText.ts';
import { isCancelled, isEdited } from './keptDelivery.ts';
import {
  ageAt,
  failureReason,
  handlerText,
  handlerToleranceSeconds,
  isRefusedAsItCame,
} from './outcomeText.ts';
import { namesSignature, speaksOfSignature, unsignedOutcome } from './refusal.ts';
import { replayOutlook } from './replayOutlook.ts';
import {
  isOfRouter,
  isParsedBody,
  missedHeader,
  missesHeader,
  saysMismatch,
  saysOnlyStatus,
  saysTooOld,
} from './saidByHandler.ts';

/** What is known of an attempt that failed in the handler. */
export interface FailureEvidence {
  delivery: Pick<
    WholeDelivery,
    'verdict' | 'method' | 'path' | 'headers' | 'body' | 'bodyEncoding' | 'appName' | 'sentAt'
  >;
  attempt: Attempt;
  /** Those of the handler's response: of a redirect, where it is kept. */
  rawHeaders?: readonly string[] | undefined;
  secrets: readonly HeldSecret[];
  /** 0 where the listener does not check it. */
  toleranceSeconds: number;
}

/** Why a handler most likely did not take a delivery. */
export interface HandlerFailure {
  /** `401 from your handler`. */
  headline: string;
  /** Each a sentence: the likely cause first, then what to do. Empty if none is known. */
  reasons: string[];
  /** What the handler itself says. */
  said?: string;
}

type Why = Pick<HandlerFailure, 'reasons'>;

/**
 * Why the handler most likely did not take the delivery at an attempt, or that it took what was unsigned; undefined if it
 * took it as it should, or was not let finish.
 */
export function handlerFailure(evidence: FailureEvidence): HandlerFailure | undefined {
  const { attempt } = evidence;
  const unsigned = unsignedOutcome(attempt);
  if (isCancelled(attempt) || (isTaken(attempt) && unsigned === undefined)) return undefined;
  const said = failureReason(attempt);
  const why = unsigned === undefined ? (whyOf(evidence) ?? because()) : because(unsigned.text);
  return { headline: capitalized(handlerText(attempt)), ...why, ...(said !== undefined && { said }) };
}

function whyOf(evidence: FailureEvidence): Why | undefined {
  const { attempt, delivery } = evidence;
  const { host, pathname } = URL.parse(attempt.to) ?? { host: attempt.to, pathname: delivery.path };
  if (attempt.status === undefined) {
    if (attempt.error === 'ERR_ENDED') {
      return (
        whereItFailed(attempt) ??
        because(
          t('Your handler ended while it had the delivery.'),
          t('See what it wrote, and start it again.'),
        )
      );
    }
    if (attempt.error === attemptErrors.listenerEnded) {
      return because(
        t('The listener was stopped before your handler responded: it may have done its work all the same.'),
        t('Replay sends it again.'),
      );
    }
    if (attempt.error === 'ECONNREFUSED') {
      return because(
        t('Nothing listens on {0}.', host),
        t('Start your handler, or set another address to forward to.'),
      );
    }
    const code = attempt.error ?? '';
    if (code === 'ECONNRESET' || code === 'UND_ERR_SOCKET')
      return whereItFailed(attempt) ?? because(t('It may have crashed: see what it wrote.'));
    if (isOfCertificate(code))
      return because(
        t('This machine does not trust the certificate of your handler.'),
        t('If it is a handler on this machine, set "runhook.listener.acceptLocalCertificates", and replay.'),
      );
    if (notFound.includes(code)) {
      const name = plainText(URL.parse(attempt.to)?.hostname ?? attempt.to, 100);
      return because(t('There is no host {0}.', name), checkAddress());
    }
    if (noConnection.includes(code)) return because(t('Nothing responds at {0}.', host), checkAddress());
    return isNotHttp(code)
      ? because(t('Another program may listen on {0}: check the address to forward to.', host))
      : undefined;
  }
  if (isRedirect(attempt.status)) {
    const address = redirectAddress(evidence);
    return because(
      t('Your handler redirects, and a redirect is not followed.'),
      ...(address === undefined
        ? []
        : [t('Forward to {0}, the address that Location names in its response.', address)]),
    );
  }
  if (isParsedBody(attempt)) {
    return because(
      t('The body was parsed before the signature was checked.'),
      t('Verify the raw bytes of the body, and parse them after that.'),
    );
  }
  switch (attempt.status) {
    case 400:
    case 401:
    case 403:
      return whyRefused(evidence);
    case 404:
    case 405:
      return (
        whereItFailed(attempt) ??
        because(
          attempt.status === 404
            ? t('Your handler has no route for {0} {1}.', delivery.method, plainText(pathname, 100))
            : t('Your handler does not accept {0} at {1}.', delivery.method, plainText(pathname, 100)),
          pathname === '/'
            ? t('Add the path of your handler to the address to forward to.')
            : t('Check the path in the address to forward to.'),
          // As the code of Insert Verification Code does. What has no route usually says so.
          ...(attempt.status === 404 && !isOfRouter(attempt)
            ? [
                t(
                  'Or its work failed, and it returned 404 so that the service sends the delivery again: see what it wrote.',
                ),
              ]
            : []),
        )
      );
    case 413:
      return because(t('The body is larger than your handler accepts.'));
    case 415:
      return because(
        t(
          'Your handler does not accept {0}.',
          plainText(delivery.headers['content-type'] ?? t('a body without a type'), 100),
        ),
      );
    default:
      return whereItFailed(attempt);
  }
}

/** Where a handler redirects to, without what is secret in it. */
function redirectAddress({ attempt, rawHeaders = [], secrets }: FailureEvidence): string | undefined {
  const location = headerOf(rawHeaders, 'location');
  if (location === undefined) return undefined;
  const url = httpUrl(URL.parse(location, attempt.to)?.href ?? '');
  if (url === undefined) return undefined;
  const mask = new SecretMask(secrets.map(({ secret }) => secret));
  return plainText(mask.text(`${url.origin}${url.pathname}${url.search}`), 100);
}

/** Codes of a host that nobody knows, and of one that cannot be reached. */
const notFound = ['ENOTFOUND', 'EAI_AGAIN'];
const noConnection = ['ETIMEDOUT', 'UND_ERR_CONNECT_TIMEOUT', 'EHOSTUNREACH', 'ENETUNREACH'];

function checkAddress(): string {
  return t('Check the address to forward to.');
}

/** The line at which the handler failed, unless its response names what happened there. */
function whereItFailed({ failedAt, answer = '' }: Attempt): Why | undefined {
  if (failedAt === undefined || failedAt.oneOf !== undefined || answer.includes(failedAt.message))
    return undefined;
  return because(
    t('Your handler failed at {0}: {1}', failurePlaceText(failedAt), plainText(failedAt.message, 150)),
  );
}

/** A line of the handler: `handler.ts:42`. */
export function failurePlaceText({ file, line }: Pick<FailurePlace, 'file' | 'line'>): string {
  return plainText(`${basename(file)}:${line}`);
}

/** Why a handler says that a delivery is not genuine. */
function whyRefused({ attempt, delivery, secrets, toleranceSeconds }: FailureEvidence): Why | undefined {
  const at = Date.parse(attempt.at);
  if (attempt.kind === 'forward' || attempt.kind === 'replay') {
    const outlook = replayOutlook(delivery, secrets, at, toleranceSeconds);
    if (outlook.kind === 'unsigned')
      return because(t('It has no signature.'), t('Run the app with a webhook secret.'));
    if (outlook.kind === 'neverFitted') return because(t('Its signature did not verify in Runhook either.'));
    if (outlook.kind === 'old') {
      return because(
        outlook.ageMs > 0
          ? oldText(outlook.ageMs, toleranceSeconds)
          : t('It is dated {0} ahead.', spanText(-outlook.ageMs)),
        signsAgain(),
      );
    }
    if (outlook.kind === 'rotated') {
      return because(t('It was signed with a secret other than the current one.'), signsAgain());
    }
    if (wasTooOld(attempt, delivery)) {
      const ageMs = ageAt(at, delivery);
      return because(
        saysTooOld(attempt)
          ? t('It was signed {0} before it was sent to your handler, which allows less.', waitText(ageMs))
          : oldText(ageMs, 0),
        signsAgain(),
      );
    }
  }
  if (isEdited(attempt) || !speaksOfSignature(attempt)) return undefined;
  const right = t('Signature and timestamp were right.');
  if (missesHeader(attempt)) {
    return because(
      right,
      t(
        'Check the name of the header that your handler reads: the delivery has {0}.',
        missedName(attempt, delivery.headers),
      ),
    );
  }
  const clock = saysTooOld(attempt)
    ? [t('Check the clock of your handler, and the unit in which it compares: the timestamp is in seconds.')]
    : [];
  if (clock.length > 0 && !saysMismatch(attempt)) return because(right, ...clock);
  // It may want something else, such as an API key.
  if (!namesSignature(attempt) && !saysOnlyStatus(attempt)) return because(right);
  const isRotated = secrets.some(
    (one) => one.until !== undefined && verifiesAt(one, at) && one.owner.kind !== 'once',
  );
  return isRotated
    ? because(
        t('Your handler may still have the secret from before the rotation.'),
        t('Copy the current secret or write it to .env again, and start your handler with it.'),
      )
    : because(
        right,
        ...clock,
        t(
          'Check that your handler has the secret of Runhook, and verifies the raw bytes of the body before they are parsed.',
        ),
      );
}

/** The name that the delivery has for the header that a handler misses. */
function missedName(attempt: Attempt, headers: WholeDelivery['headers']): string {
  const kind = missedHeader(attempt);
  return kind === 'request-id' ? `x-${kind}` : `x-${vendorOf(headers) ?? 'service'}-webhook-${kind}`;
}

/** How much too old a signature was, by what the user set for the listener, or by what is usual. */
function oldText(ageMs: number, ofListener: number): string {
  const seconds = handlerToleranceSeconds(ofListener);
  // Both are cut, so that what was too old is never told as less than what is allowed.
  const [age, allowed] = [pastText(ageMs), pastText(seconds * 1000)];
  return seconds === handlerToleranceSeconds(0)
    ? t(
        'It was signed more than {0} before it was sent to your handler; handlers usually allow {1}.',
        age,
        allowed,
      )
    : t(
        'It was signed more than {0} before it was sent to your handler; your listener allows {1}.',
        age,
        allowed,
      );
}

/** No handler allows less: what is forwarded at once would be too old as well. In milliseconds. */
const leastAgeMs = 5000;

/**
 * Whether a handler, which may allow less than Runhook, called a delivery too old that was sent to it as it came, or refused
 * without a word one that is too old for most.
 */
export function wasTooOld(attempt: Attempt, delivery: Pick<WholeDelivery, 'sentAt'>): boolean {
  if (!isRefusedAsItCame(attempt)) return false;
  const ageMs = ageAt(Date.parse(attempt.at), delivery);
  // Without a word, as the code of Insert Verification Code does.
  if (saysOnlyStatus(attempt)) return ageMs > handlerToleranceSeconds(0) * 1000;
  return ageMs >= leastAgeMs && saysTooOld(attempt) && !missesHeader(attempt);
}

function signsAgain(): string {
  return t('Replay sends it with a new signature.');
}

function because(...reasons: string[]): Why {
  return { reasons };
}
