import { sandboxFaults } from '../../contract/values.ts';
import { t } from '../../shared/text/l10n.ts';

export type SandboxFault = (typeof sandboxFaults)[number];

const descriptions: Readonly<Record<SandboxFault, () => string>> = {
  'bad-signature': () => t('The signature of the webhook is wrong.'),
  'stale-timestamp': () => t('The webhook is signed with a timestamp an hour in the past.'),
  'missing-header': () => t('The webhook has no timestamp header.'),
  repeat: () => t('The webhook is sent again after it was accepted.'),
  'body-changed': () => t('A byte of the webhook is changed after it was signed.'),
  'out-of-order': () => t('The webhook is held back until a later one is sent, 5 s at most.'),
  hang: () => t('The webhook stops halfway, and the connection stays open.'),
  slow: () => t('The webhook is sent slowly, over five seconds.'),
  '401': () => t('The call returns 401: the token is rejected.'),
  '403': () => t('The call returns 403: the token lacks the permission.'),
  '404': () => t('The call returns 404.'),
  '429': () => t('The call returns 429, with Retry-After.'),
  '500': () => t('The call returns 500.'),
  latency: () => t('The response arrives a second late.'),
};

export function isSandboxFault(text: string): text is SandboxFault {
  return (sandboxFaults as readonly string[]).includes(text);
}

/** What a fault does, in words. */
export function describeSandboxFault(fault: SandboxFault): string {
  return descriptions[fault]();
}
