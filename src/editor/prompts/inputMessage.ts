import { looksLikeToken } from '../../model/keys/token.ts';
import type { InputOptions } from './prompts.ts';
import { t } from '../../model/text/l10n.ts';
import { plainText } from '../../model/text/plainText.ts';

/** Why an input rejects a text; undefined if it does not. Only an input for a token accepts a token. */
export function inputMistake({ password, validate }: InputOptions, text: string): string | undefined {
  return password !== true && looksLikeToken(text) ? misplacedToken() : validate?.(text);
}

/** What is said about a text that has no mistake: what it becomes, and the warning. */
export function inputNote(
  { becomes, warn }: InputOptions,
  text: string,
): { message: string; isWarning: boolean } | undefined {
  const kept = becomes?.(text);
  const warning = warn?.(text);
  const shown = kept === undefined || kept === text.trim() ? undefined : `→ ${plainText(kept, 300)}`;
  const parts = [shown, warning].filter((part) => part !== undefined);
  return parts.length === 0 ? undefined : { message: parts.join('  '), isWarning: warning !== undefined };
}

export function misplacedToken(): string {
  return t('This looks like a token. Enter it only where you are asked for a token.');
}
