import * as vscode from 'vscode';
import { Commands } from './editor/commands.ts';
import { createLog } from './editor/log.ts';
import { editorPrompts } from './editor/prompts.ts';
import { ScriptedPrompts } from './editor/scriptedPrompts.ts';

export function activate(context: vscode.ExtensionContext): void {
  const log = createLog();
  const commands = new Commands(log);
  const scripted = context.extensionMode === vscode.ExtensionMode.Test ? new ScriptedPrompts() : undefined;
  const prompts = scripted ?? editorPrompts;
  context.subscriptions.push(log, commands, ...(scripted ? [scripted] : []));
  log.debug('Activated', typeof prompts);
}
