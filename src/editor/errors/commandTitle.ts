import type * as vscode from 'vscode';
import type { CommandId } from '../../contract/commands.ts';

/** The commands in the manifest. In a localized editor, a title is an object that also has the English text. */
interface Manifest {
  contributes: { commands: { command: string; title: string | { value: string } }[] };
}

/**
 * A command's title in the language of the editor, without a trailing ellipsis. Runhook's own name for a command that
 * the manifest does not have.
 */
export function commandTitle({ packageJSON }: vscode.Extension<unknown>, id: CommandId): string {
  const { commands } = (packageJSON as Manifest).contributes;
  const title = commands.find(({ command }) => command === id)?.title ?? 'Runhook';
  return (typeof title === 'string' ? title : title.value).replace(/…$/, '');
}
