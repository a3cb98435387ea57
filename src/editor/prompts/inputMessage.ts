import * as vscode from 'vscode';
import type { InputOptions } from './prompts.ts';

/** What a box says of its text while it is typed: a mistake, which is refused, or what is odd and is not. */
export function inputMessage(
  { validate, warn }: InputOptions,
  text: string,
): string | vscode.InputBoxValidationMessage | undefined {
  const mistake = validate?.(text);
  if (mistake !== undefined) return mistake;
  const message = warn?.(text);
  return message === undefined ? undefined : { message, severity: vscode.InputBoxValidationSeverity.Warning };
}
