import { t } from '../../model/text/l10n.ts';
import type { Cause } from './cause.ts';
import type { Diagnosis } from './diagnosis.ts';
import { signedEarlierText, signedWithText } from './secretText.ts';

/**
 * A diagnosis in words that say what to change: what the line of a delivery ends with, and `reason` of a
 * delivery. Undefined where there is nothing to say.
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
      // Without a cause: a secret that was set after the delivery had come.
      return diagnosis.causes.map((cause) => causeText(cause)).join(t('; and ')) || undefined;
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
    case 'signature': {
      const form = causes.map((cause) => causeText(cause));
      return form.length > 0
        ? form.join(t('; and '))
        : t('the signature header is not "v1," and 64 hexadecimal digits');
    }
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

function unexplainedText({ isCut, proxy }: Diagnosis & { kind: 'unexplained' }): string {
  if (isCut) return t('the body is too large to find the cause right away: Explain Delivery looks closer');
  return proxy === undefined
    ? t(
        'none of the usual causes fits: most likely the caller uses a different secret from the one stored here',
      )
    : t(
        'none of the usual causes fits: the caller uses a different secret, or the proxy that wrote the header {0} changed the body or X-Request-Id',
        proxy,
      );
}

/** One cause in words that say what to change. */
export function causeText(cause: Cause): string {
  switch (cause.kind) {
    case 'earlierSecret':
      return signedEarlierText(cause.owner);
    case 'secretOf':
      return signedWithText({ owner: cause.owner });
    case 'aroundSecret':
      return aroundText(cause);
    case 'secretPrefix':
      return cause.copy === 'kept'
        ? t('the caller\'s secret has no "whsec_" before it and the one kept here has: set both to the same')
        : t(
            'the caller\'s secret has "whsec_" before it and the one kept here has not: set both to the same',
          );
    case 'secretDecoded':
      return cause.encoding === 'base64'
        ? t('the secret was decoded from base64 before it signed: the key is its text as it is')
        : t('the secret was decoded from hexadecimal before it signed: the key is its text as it is');
    case 'secretEncoded':
      return t('the secret was encoded in base64 before it signed: the key is its text as it is');
    case 'secretCharset':
      return charsetText(cause);
    case 'signatureInBase64':
      return t('the signature is in base64: write it in hexadecimal digits');
    case 'signatureInCapitals':
      return t('the signature is in capital letters: write its hexadecimal digits in lower case');
    case 'signaturePrefix':
      return cause.found === ''
        ? t('"v1," is missing before the signature')
        : t('the signature begins with "{0}" instead of "v1,"', cause.found);
    case 'timestampUnit':
      return cause.header === 'milliseconds'
        ? t('the timestamp header is in milliseconds and seconds were signed: send what was signed')
        : t('the timestamp was signed in milliseconds and its header is in seconds: sign what is sent');
    case 'requestIdRewritten':
      return t(
        'X-Request-Id was rewritten on the way, by a tunnel or a proxy: the id that was signed is in {0}',
        cause.source,
      );
    case 'trailingNewline':
      return cause.change === 'added'
        ? t('the body got a newline at its end after it was signed')
        : t('the body lost the newline at its end after it was signed');
    case 'lineEndings':
      return t('the line endings of the body were changed on the way');
    case 'byteOrderMark':
      return cause.change === 'added'
        ? t('the body got a byte-order mark after it was signed')
        : t('the body lost its byte-order mark after it was signed');
    case 'charset':
      return t(
        'the body was signed in another character set than it was sent in: sign the bytes that are sent',
      );
    case 'reserialised':
      return t('the body was re-serialised on the way: a proxy or a JSON parser changed it');
  }
}

function charsetText({ how }: Cause & { kind: 'secretCharset' }): string {
  switch (how) {
    case 'asLatin1':
      return t('the secret was taken as Latin-1 where it signed: the key is its UTF-8 bytes');
    case 'callersTwice':
      return t(
        "the caller's secret was read as Latin-1 and encoded in UTF-8 once more: the key is its UTF-8 bytes",
      );
    case 'keptTwice':
      return t('the secret kept here was read as Latin-1 and encoded in UTF-8 once more: set it again');
  }
}

function aroundText({ copy, around, where }: Cause & { kind: 'aroundSecret' }): string {
  switch (around) {
    case 'quotes':
      return copy === 'callers'
        ? t("the caller's secret has quotation marks around it: remove them there")
        : t('the secret kept here has quotation marks around it: set it without them');
    case 'newline':
      if (where === 'end') {
        return copy === 'callers'
          ? t("the caller's secret has a newline at its end: remove it there")
          : t('the secret kept here has a newline at its end: set it without');
      }
      return copy === 'callers'
        ? t("the caller's secret has a newline before it: remove it there")
        : t('the secret kept here has a newline around it: set it without');
    case 'space':
      return copy === 'callers'
        ? t("the caller's secret has white space around it: remove it there")
        : t('the secret kept here has white space around it: set it without');
  }
}
