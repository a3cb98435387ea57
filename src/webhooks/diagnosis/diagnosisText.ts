import { t } from '../../model/text/l10n.ts';
import type { Cause } from './cause.ts';
import { type Diagnosis, diagnoseRefused, type Evidence } from './diagnosis.ts';
import type { Verdict } from '../../model/deliveries/delivery.ts';
import { signedEarlierText, signedWithText } from './secretText.ts';

/**
 * Why a delivery does not verify: the one text for its row, its line in the output, its `reason` and its explanation.
 * Undefined if it verifies.
 */
export function reasonOf(verdict: Verdict, evidence: Evidence): string | undefined {
  return verdict === 'verified' ? undefined : diagnosisText(diagnoseRefused(verdict, evidence));
}

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
      return causesText(diagnosis.causes) || t('signed with a secret that was set here only after it came');
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

/** No more than is known: neither of the two is blamed. */
function unexplainedText({ isCut, isBodyRight }: Diagnosis & { kind: 'unexplained' }): string {
  const differs = isBodyRight
    ? t("the body is that of the run's response, so the secret or the signature differs")
    : t('the secret or the body differs');
  return isCut ? t('{0}: Explain Delivery looks closer', differs) : differs;
}

function causesText(causes: readonly Cause[]): string {
  return causes.map(({ text }) => text).join(t('; and '));
}
