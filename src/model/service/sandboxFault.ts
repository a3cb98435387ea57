import { t } from '../text/l10n.ts';

/**
 * The faults that the sandbox simulates on demand. `401`, `403`, `404`, `429`, `500` and `latency` befall the answer of the call;
 * `hang` and `slow` its webhook, or the answer of a call that has none; all others its webhook.
 */
export const sandboxFaults = [
  'bad-signature',
  'stale-timestamp',
  'missing-header',
  'repeat',
  'body-changed',
  'out-of-order',
  'hang',
  'slow',
  '401',
  '403',
  '404',
  '429',
  '500',
  'latency',
] as const;

export type SandboxFault = (typeof sandboxFaults)[number];

export function isSandboxFault(text: string): text is SandboxFault {
  return (sandboxFaults as readonly string[]).includes(text);
}

/** What a fault does, in words. */
export function describeSandboxFault(fault: SandboxFault): string {
  switch (fault) {
    case 'bad-signature':
      return t('The signature of the webhook is wrong.');
    case 'stale-timestamp':
      return t('The webhook is signed with a timestamp an hour in the past.');
    case 'missing-header':
      return t('The webhook lacks its timestamp header.');
    case 'repeat':
      return t('The webhook is sent again after it was accepted.');
    case 'body-changed':
      return t('A byte of the webhook is changed after it was signed.');
    case 'out-of-order':
      return t('The webhook is held until a later one has been sent, for at most five seconds.');
    case 'hang':
      return t('The webhook stops halfway, and the connection stays open.');
    case 'slow':
      return t('The webhook is sent slowly, over five seconds.');
    case '401':
      return t('The call is answered 401: the token is refused.');
    case '403':
      return t('The call is answered 403: the token may not do that.');
    case '404':
      return t('The call is answered 404.');
    case '429':
      return t('The call is answered 429, with Retry-After.');
    case '500':
      return t('The call is answered 500.');
    case 'latency':
      return t('The answer comes a second late.');
  }
}
