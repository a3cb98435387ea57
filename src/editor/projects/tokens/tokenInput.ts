import { refusal } from '../../../model/service/failureReason.ts';
import { t } from '../../../model/text/l10n.ts';
import { plainText } from '../../../model/text/plainText.ts';
import type { ServiceAccount } from '../../../model/projects/project.ts';
import { cleanToken, tokenWarnings } from '../../../model/keys/token.ts';
import type { InputOptions } from '../../prompts/prompts.ts';
import { apiKeysLink } from '../keys/apiKeysPage.ts';

/** A token passed by a caller. It is cleaned, since it may have been pasted. @throws UserError if it can be none */
export function givenToken(token: string | undefined): string | undefined {
  return token === undefined ? undefined : cleanToken(token);
}

/**
 * The question for the token of an account. The input is hidden. A token that no header can carry is rejected at
 * once. An odd token gets a warning at once, and can still be entered. A button opens the page of the dashboard that
 * creates tokens.
 * @param mayBeEmpty whether the user can leave it empty
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
