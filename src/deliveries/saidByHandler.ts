// What the words of a handler's response tell: those of frameworks, of libraries, and of the code of Insert Verification
// Code.
import type { Attempt } from '../contract/delivery.ts';
import { failureReason } from './outcomeText.ts';

/** The beginning of what the handler returned. */
type Said = Pick<Attempt, 'answer'>;

/**
 * Whether a 404 reads like that of a framework, and not of the handler's own work: `Cannot POST /`. The words `Not Found`
 * alone are what `sendStatus(404)` of Express sends, which the code of Insert Verification Code calls.
 */
export function isOfRouter(attempt: Said): boolean {
  const { answer = '' } = attempt;
  if (answer.trim() === 'Not Found') return false;
  return (
    /cannot [a-z]+ \/|\broute\b|page (?:could )?not (?:be )?found|requested (?:url|resource)/i.test(answer) ||
    /^\W*(?:404\W*)?not found\W*$/i.test(failureReason(attempt) ?? '')
  );
}

/** Whether a framework or a hash function complains of a body that is an object by now. */
export function isParsedBody({ answer = '' }: Said): boolean {
  return /must be of type string or an instance of Buffer|Received an instance of Object|bytes-like object is required|no implicit conversion of Hash into String|hash_hmac\(\): Argument/i.test(
    answer,
  );
}

/** Whether it says nothing but that: `401`, `Unauthorized`, or nothing at all. */
export function saysOnlyStatus(attempt: Said): boolean {
  return /^(?:\W|401|unauthori[sz]ed)*$/i.test(failureReason(attempt) ?? '');
}

/** Spring dates its errors by a field of that name. */
const signedHeader = /signature|timestamp(?!":)|request.?id|required headers/i;

/** Whether a handler says that a header is missing which is part of what is signed. "No matching signature" does not. */
export function missesHeader({ answer = '' }: Said): boolean {
  return (
    signedHeader.test(answer) &&
    /\b(?:missing|required|absent)\b|not (?:present|provided)|\bno (?:[\w-]+ header|signature|timestamp)\b/i.test(
      answer,
    )
  );
}

/** The kind of that header. */
export function missedHeader({ answer = '' }: Said): 'request-id' | 'timestamp' | 'signature' {
  const [said = ''] = signedHeader.exec(answer) ?? [];
  if (/^request.?id/i.test(said)) return 'request-id';
  return /timestamp/i.test(said) ? 'timestamp' : 'signature';
}

/** Whether a handler says that the signature is another one than it expects. */
export function saysMismatch({ answer = '' }: Said): boolean {
  return /\b(?:invalid|wrong|bad|incorrect)\b[\w ]{0,20}signature|signature[^.;,]{0,20}\b(?:mismatch|invalid|wrong|incorrect|not match|match failed)/i.test(
    answer,
  );
}

/** Whether a handler says that the delivery is too old, or that its clock is another. */
export function saysTooOld({ answer = '' }: Said): boolean {
  return /timestamp(?!":)|too old|stale|signature (?:has )?expired/i.test(answer);
}
