import { plainText } from '../../shared/text/plainText.ts';
import { t } from '../../shared/text/l10n.ts';
import type { ForwardTarget, ForwardTargets } from '../destination.ts';

/** The maximum number of apps that are named; the settings may hold any number. */
const mostNamed = 3;

/** Where deliveries are forwarded to, in short: `→ localhost:3000`, or why they are not. */
export function targetText(target: ForwardTarget): string {
  switch (target.kind) {
    case 'off':
      return t('off');
    case 'untrusted':
      return t('off: the workspace is not trusted');
    case 'invalid':
      return t('off: "{0}" is not an address', plainText(target.text, 60));
    case 'given':
      return `→ ${hostOf(target.to)}`;
    case 'refused':
      return t('off: you did not allow {0}', hostOf(target.to));
    case 'unanswered':
      return t('off until you allow {0}', hostOf(target.to));
  }
}

/** The targets of all apps: `echo → localhost:4000 · others → localhost:3000`; empty if nothing is forwarded. */
export function targetsText({ apps, rest }: ForwardTargets): string {
  if (apps.size === 0) return rest.kind === 'off' ? '' : targetText(rest);
  const named = [...apps]
    .slice(0, mostNamed)
    .map(([appName, target]) => `${plainText(appName, 40)} ${targetText(target)}`);
  const more = apps.size > mostNamed ? ['…'] : [];
  return [...named, ...more, t('others {0}', targetText(rest))].join(' · ');
}

function hostOf(address: string): string {
  return plainText(URL.parse(address)?.host ?? address, 60);
}
