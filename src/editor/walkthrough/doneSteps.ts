import * as vscode from 'vscode';
import { contextIds, rememberedSandbox } from '../ids.ts';

/** What leaves nothing by which one could tell later that it was done: it is remembered. */
const steps = [contextIds.sandboxTried, contextIds.deliveryReceived, contextIds.deliveryExplained] as const;

export type RememberedStep = (typeof steps)[number];

/** Checks off what was done before: VS Code may be asked for the walkthrough only now. */
export function tellOfDoneSteps(context: vscode.ExtensionContext): void {
  for (const step of doneBefore(context)) void tellDone(step);
}

/** What was done in any window, as far as this one can tell without loading anything. */
export function doneBefore({
  globalState,
  workspaceState,
}: Pick<vscode.ExtensionContext, 'globalState' | 'workspaceState'>): RememberedStep[] {
  // Versions before remember a sandbox by its port alone.
  const hadSandbox = workspaceState.get(rememberedSandbox.port) !== undefined;
  return steps.filter(
    (step) => isDone(globalState, step) || (hadSandbox && step === contextIds.sandboxTried),
  );
}

export function isDone(globalState: vscode.Memento, step: RememberedStep): boolean {
  return globalState.get<boolean>(keyOf(step)) === true;
}

/** Checks off a step, in this window and for all that come. */
export async function remember(globalState: vscode.Memento, step: RememberedStep): Promise<void> {
  // Before anything is waited for: the next delivery of a burst asks whether it is done.
  const stored = globalState.update(keyOf(step), true);
  await tellDone(step);
  await stored;
}

function tellDone(step: RememberedStep): Thenable<unknown> {
  return vscode.commands.executeCommand('setContext', step, true);
}

function keyOf(step: RememberedStep): string {
  return `walkthrough:${step}`;
}
