import * as vscode from 'vscode';
import { looksLikeToken } from '../../model/keys/token.ts';
import type { InputOptions } from './prompts.ts';
import { t } from '../../model/text/l10n.ts';

/** What a box says of its text while it is typed: a mistake, which is refused, or what is odd and is not. */
export function inputMessage(
  options: InputOptions,
  text: string,
): string | vscode.InputBoxValidationMessage | undefined {
  const mistake = inputMistake(options, text);
  if (mistake !== undefined) return mistake;
  const message = options.warn?.(text);
  return message === undefined ? undefined : { message, severity: vscode.InputBoxValidationSeverity.Warning };
}

/** Why a box does not take a text; undefined where it does. A token goes nowhere but where one is asked for. */
export function inputMistake({ password, validate }: InputOptions, text: string): string | undefined {
  return password !== true && looksLikeToken(text) ? misplacedToken() : validate?.(text);
}

export function misplacedToken(): string {
  return t('This looks like a token. Enter it only where you are asked for a token.');
}
