import * as vscode from 'vscode';
import type { Prompts } from './prompts.ts';

/** The questions as the editor shows them. */
export const editorPrompts: Prompts = {
  async input(options) {
    return (await import('./stepPrompts.ts')).inputStep(options);
  },
  async pick(title, choices, options = {}) {
    return (await import('./stepPrompts.ts')).pickStep(title, choices, options);
  },
  async pickOrAct(title, choices) {
    const { buttonPick } = await import('./buttonPick.ts');
    return buttonPick(title, choices);
  },
  async pickMany(title, choices) {
    const picked = await vscode.window.showQuickPick([...choices], {
      title,
      matchOnDescription: true,
      canPickMany: true,
    });
    return picked?.map(({ value }) => value);
  },
  async confirm(question, detail, goOn) {
    return (await vscode.window.showWarningMessage(question, { modal: true, detail }, goOn)) === goOn;
  },
};
