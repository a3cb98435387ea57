import { looksLikeToken } from '../../model/keys/token.ts';
import type { InputOptions } from './prompts.ts';
import { t } from '../../model/text/l10n.ts';

/** Why a box does not take a text; undefined where it does. A token goes nowhere but where one is asked for. */
export function inputMistake({ password, validate }: InputOptions, text: string): string | undefined {
  return password !== true && looksLikeToken(text) ? misplacedToken() : validate?.(text);
}

export function misplacedToken(): string {
  return t('This looks like a token. Enter it only where you are asked for a token.');
}
