import * as vscode from 'vscode';
import { parseHttpUrl } from '../../model/endpoints.ts';
import { DeclinedError } from '../declinedError.ts';
import type { Prompts } from '../prompts.ts';

/** Asks for an http or https address. @throws DeclinedError where none is given */
export async function askAddress(prompts: Prompts, title: string, value: string): Promise<string> {
  const address = await prompts.input({
    title,
    prompt: vscode.l10n.t('The address to send it to'),
    value,
    placeHolder: 'http://127.0.0.1:3000/webhook',
    validate: (text) => {
      try {
        parseHttpUrl(text, vscode.l10n.t);
        return undefined;
      } catch (error) {
        return error instanceof Error ? error.message : String(error);
      }
    },
  });
  if (address === undefined) throw new DeclinedError(vscode.l10n.t('No address was given.'));
  return parseHttpUrl(address, vscode.l10n.t).href;
}
