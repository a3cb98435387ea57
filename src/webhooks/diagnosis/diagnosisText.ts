import { t } from '../../model/text/l10n.ts';
import type { Cause } from './cause.ts';
import type { Diagnosis } from './diagnosis.ts';
import { signedEarlierText, signedWithText } from './secretText.ts';

/**
 * A diagnosis as text that says what to change, for the end of a delivery's line and for its `reason`. Undefined if
 * there is nothing to say.
 */
export function diagnosisText(diagnosis: Diagnosis): string | undefined {
  switch (diagnosis.kind) {
    case 'verified':
      return verifiedText(diagnosis);
    case 'stale':
      return staleText(diagnosis);
    case 'unsigned':
      return t('no signature header: send X-Webhook-Secret with the run');
    case 'no-secret':
      return t('signed, but there is no secret here to check it with: set the webhook secret');
    case 'malformed':
      return malformedText(diagnosis);
    case 'explained':
      // No causes: the fitting secret was set after the delivery had come.
      return causesText(diagnosis.causes) || undefined;
    case 'unexplained':
      return unexplainedText(diagnosis);
  }
}

function verifiedText({ secret, isOnly }: Diagnosis & { kind: 'verified' }): string | undefined {
  if (isOnly) return undefined;
  return secret.until === undefined || secret.owner.kind === 'once'
    ? signedWithText(secret)
    : signedEarlierText(secret.owner);
}

function staleText({ ageSeconds, inMilliseconds }: Diagnosis & { kind: 'stale' }): string {
  if (inMilliseconds) return t('the timestamp is in milliseconds: send Unix seconds');
  const minutes = Math.round(Math.abs(ageSeconds) / 60);
  return ageSeconds > 0
    ? t(
        'right signature, sent {0} minutes ago: an old delivery sent again, or a clock that is wrong',
        minutes,
      )
    : t('right signature, dated {0} minutes ahead: one of the two clocks is wrong', minutes);
}

function malformedText({ problem, causes }: Diagnosis & { kind: 'malformed' }): string {
  switch (problem) {
    case 'signature':
      return causesText(causes) || t('the signature header is not "v1," and 64 hexadecimal digits');
    case 'requestIdMissing':
      return t('no X-Request-Id header, which is part of what is signed: a proxy may have removed it');
    case 'timestampMissing':
      return t('no timestamp header, which is part of what is signed: a proxy may have removed it');
    case 'timestampNotANumber':
      return t('the timestamp is not a number: send Unix seconds');
    case 'timestampNotSeconds':
      return t(
        'the timestamp is not written as Unix seconds: send digits only, at most 13, without a fraction or a leading zero',
      );
  }
}

function unexplainedText({ isCut, proxy, isGiven }: Diagnosis & { kind: 'unexplained' }): string {
  if (isCut) return t('the body is too large to find the cause right away: Explain Delivery looks closer');
  if (isGiven) {
    return proxy === undefined
      ? t(
          'none of the usual causes fits: the service has the secret from Runhook, so the body or X-Request-Id was changed on the way, or this is no delivery of the run',
        )
      : t(
          'none of the usual causes fits: the service has the secret from Runhook, so the proxy that wrote the header {0} changed the body or X-Request-Id, or this is no delivery of the run',
          proxy,
        );
  }
  return proxy === undefined
    ? t(
        'none of the usual causes fits: most likely the caller uses a different secret from the one stored here',
      )
    : t(
        'none of the usual causes fits: the caller uses a different secret, or the proxy that wrote the header {0} changed the body or X-Request-Id',
        proxy,
      );
}

function causesText(causes: readonly Cause[]): string {
  return causes.map(({ text }) => text).join(t('; and '));
}
