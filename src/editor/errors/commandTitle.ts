import type * as vscode from 'vscode';
import type { CommandId } from '../ids.ts';

/** What the manifest says of commands. The editor gives titles with their English text, where it speaks another language. */
interface Manifest {
  contributes: { commands: { command: string; title: string | { value: string } }[] };
}

/** What a person calls a command: its title in the language of the editor. */
export function commandTitle({ packageJSON }: vscode.Extension<unknown>, id: CommandId): string {
  const { commands } = (packageJSON as Manifest).contributes;
  const title = commands.find(({ command }) => command === id)?.title ?? id;
  return (typeof title === 'string' ? title : title.value).replace(/…$/, '');
}
