import type { HeldSecret, SecretOwner } from '../signature/webhookSecret.ts';
import { t } from '../../shared/text/l10n.ts';

/** One reason why a signature does not match: a mistake where it was made, or a change on the way. */
export interface Cause {
  /** Identifies the cause; never translated. */
  kind: string;
  /** What is wrong in a few words, which is all that a row shows, a colon, and what to change. It has no full stop. */
  text: string;
}

/** One row of a table of changes: what to try, in the user's words, and how. */
export interface TriedChange<Input, Output> {
  /** The kind of its causes. */
  kind: string;
  /** What is tried, for the list of all that was. */
  label: () => string;
  /** What may have been signed, or been the key, and what happened then; the likeliest first. */
  of: (input: Input) => Iterable<[output: Output, text: string]>;
}

/** Says which secret a delivery was signed with: names its owner, never its text. */
export function signedWithText({ owner, until }: Pick<HeldSecret, 'owner' | 'until'>): string {
  switch (owner.kind) {
    case 'default':
      return until === undefined
        ? t('signed with the default secret')
        : t('signed with the secret before the last rotation');
    case 'project':
      return until === undefined
        ? t('signed with the secret of the project {0}', owner.name)
        : t('signed with the secret of the project {0} before its last rotation', owner.name);
    case 'app':
      return until === undefined
        ? t('signed with the secret of {0}', owner.name)
        : t('signed with the secret of {0} before its last rotation', owner.name);
    case 'once':
      return t('signed with the one-time secret for {0}', owner.name);
  }
}

/** The same for a secret that stops verifying, or has stopped, and what to do about it. */
export function signedEarlierText(owner: SecretOwner): string {
  return owner.kind === 'default' || owner.kind === 'once'
    ? t('earlier secret: the caller must use the current one')
    : t('earlier secret of {0}: the caller must use the current one', owner.name);
}

/** A label for a secret that names its owner. */
export function secretLabel(owner: SecretOwner): string {
  switch (owner.kind) {
    case 'default':
      return t('Default secret');
    case 'project':
      return t('Secret of the project {0}', owner.name);
    case 'app':
      return t('Secret of {0}', owner.name);
    case 'once':
      return t('One-time secret for {0}', owner.name);
  }
}
