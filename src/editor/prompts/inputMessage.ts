import { looksLikeToken } from '../../model/keys/token.ts';
import type { InputOptions } from './prompts.ts';
import { t } from '../../model/text/l10n.ts';

/** Why an input rejects a text; undefined if it does not. Only an input for a token accepts a token. */
export function inputMistake({ password, validate }: InputOptions, text: string): string | undefined {
  return password !== true && looksLikeToken(text) ? misplacedToken() : validate?.(text);
}

export function misplacedToken(): string {
  return t('This looks like a token. Enter it only where you are asked for a token.');
}
