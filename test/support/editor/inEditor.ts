import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { RunhookApi } from '../../../src/api.ts';
import { answerPromptsCommand, type Told, toldCommand } from '../../../src/editor/kit/scriptedPrompts.ts';
import type { WholeDelivery } from '../../../src/contract/delivery.ts';

/** Runs a command of Runhook. @param name without the leading `runhook.` */
export async function command<T>(name: string, argument?: object): Promise<T> {
  return vscode.commands.executeCommand<T>(`runhook.${name}`, argument);
}

/**
 * Prepares answers for the next prompts: a text, the label of a choice, or whether to continue.
 * @returns earlier answers that were not used
 */
export async function answerPrompts(...answers: unknown[]): Promise<unknown[]> {
  return vscode.commands.executeCommand(answerPromptsCommand, answers);
}

/** The messages shown since the last call, with their buttons. */
export async function shownMessages(): Promise<Told[]> {
  return vscode.commands.executeCommand(toldCommand);
}

/** Expects that a command without an argument, as the palette calls it, fails with a message. */
export async function expectMessage(call: PromiseLike<unknown>, message: RegExp): Promise<Told> {
  assert.equal(await call, undefined);
  const last = (await shownMessages()).at(-1);
  assert.ok(last);
  assert.match(last.message, message);
  return last;
}

/** How long {@link eventually} waits, in milliseconds: less than a test may take, so that its error tells the line. */
const longestWaitMs = 120_000;

/** Polls until `found` returns something. */
export async function eventually<T>(found: () => T | undefined | Promise<T | undefined>): Promise<T> {
  const late = new Error(`It has not come to this within ${longestWaitMs / 1000} seconds.`);
  for (const until = Date.now() + longestWaitMs; Date.now() < until;) {
    const value = await found();
    if (value !== undefined) return value;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw late;
}

/**
 * Sets a setting of Runhook, by default of the user; undefined takes it away.
 * @param id without the leading `runhook.`
 */
export async function setSetting(
  id: string,
  value: unknown,
  target = vscode.ConfigurationTarget.Global,
): Promise<void> {
  await vscode.workspace.getConfiguration('runhook').update(id, value, target);
}

/** Runs with these settings, and puts back what was there in their place. */
export async function withSettings<T>(
  settings: Readonly<Record<string, unknown>>,
  run: () => T | Promise<T>,
  target = vscode.ConfigurationTarget.Global,
): Promise<T> {
  const isGlobal = target === vscode.ConfigurationTarget.Global;
  const before = Object.keys(settings).map((id) => {
    const set = vscode.workspace.getConfiguration('runhook').inspect(id);
    return [id, isGlobal ? set?.globalValue : set?.workspaceValue] as const;
  });
  try {
    for (const [id, value] of Object.entries(settings)) await setSetting(id, value, target);
    return await run();
  } finally {
    for (const [id, value] of before) await setSetting(id, value, target);
  }
}

/** Hides Projects: while it is visible, the keys of accounts that come are listed, which is a request of its own. */
export async function hideProjects(): Promise<void> {
  await vscode.commands.executeCommand('workbench.action.closeSidebar');
}

/** The kept deliveries, newest first. */
export async function deliveries(): Promise<WholeDelivery[]> {
  const extension = vscode.extensions.getExtension<RunhookApi>('runhook.runhook');
  if (extension === undefined) throw new Error('Runhook is not there.');
  return (await extension.activate()).listDeliveries();
}

/** Replaces the text of a document as if typed, without saving. */
export async function typeText(uri: vscode.Uri, text: string): Promise<vscode.TextDocument> {
  const document = await vscode.workspace.openTextDocument(uri);
  const edit = new vscode.WorkspaceEdit();
  edit.replace(uri, new vscode.Range(0, 0, document.lineCount, 0), text);
  assert.ok(await vscode.workspace.applyEdit(edit));
  return document;
}

/** Turns off auto-save while `run` runs. In a browser VS Code saves after a second by default. */
export async function withoutAutoSave(run: () => Promise<void>): Promise<void> {
  const files = vscode.workspace.getConfiguration('files');
  await files.update('autoSave', 'off', vscode.ConfigurationTarget.Global);
  try {
    await run();
  } finally {
    await files.update('autoSave', undefined, vscode.ConfigurationTarget.Global);
  }
}
