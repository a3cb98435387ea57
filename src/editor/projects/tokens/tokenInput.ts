import * as v from 'valibot';
import { refusal } from '../../../model/service/failureReason.ts';
import { t } from '../../../model/text/l10n.ts';
import { plainText } from '../../../model/text/plainText.ts';
import type { ServiceAccount } from '../../../model/projects/project.ts';
import { cleanToken, tokenWarnings } from '../../../model/keys/token.ts';
import type { InputOptions } from '../../prompts/prompts.ts';
import { apiKeysLink } from '../keys/apiKeysPage.ts';

/** A token as a caller gives it: it may be pasted too. */
export const givenToken = v.pipe(v.string(), v.transform(cleanToken));

/**
 * The question for the token of an account. It is typed hidden, refused at once where no header can carry it, and
 * warned of at once where something about it is odd. Nothing odd forbids it. A button leads to where the dashboard
 * makes tokens.
 * @param mayBeEmpty whether the user can go without
 */
export function tokenQuestion(
  projectId: string,
  { id, name }: ServiceAccount,
  title: string,
  mayBeEmpty = false,
): InputOptions {
  const shown = plainText(name ?? id);
  return {
    title,
    prompt: mayBeEmpty
      ? t('Token of the service account {0}; empty to set it later', shown)
      : t('Token of the service account {0}', shown),
    ...apiKeysLink(),
    password: true,
    validate: (text) => (mayBeEmpty && text.trim() === '' ? undefined : refusal(() => cleanToken(text))),
    warn: (text) => (text.trim() === '' ? undefined : warningOf(text, projectId)),
  };
}

function warningOf(text: string, projectId: string): string | undefined {
  const warnings = tokenWarnings(cleanToken(text), projectId, Date.now());
  return warnings.length === 0 ? undefined : warnings.join(' ');
}
