import * as vscode from 'vscode';
import { contextIds, rememberedSandbox } from '../kit/ids.ts';

/** Steps that leave no trace by which to detect them later, so they are remembered. */
const steps = [contextIds.sandboxTried, contextIds.deliveryReceived, contextIds.deliveryExplained] as const;

export type RememberedStep = (typeof steps)[number];

/** Checks off the steps done earlier: the walkthrough may be opened only now. */
export function tellOfDoneSteps(context: vscode.ExtensionContext): void {
  for (const step of doneBefore(context)) void tellDone(step);
}

/** The steps done in any window, as far as this one can tell without loading anything. */
export function doneBefore({
  globalState,
  workspaceState,
}: Pick<vscode.ExtensionContext, 'globalState' | 'workspaceState'>): RememberedStep[] {
  // Earlier versions remember a sandbox by its port only.
  const hadSandbox = workspaceState.get(rememberedSandbox.port) !== undefined;
  return steps.filter(
    (step) => isDone(globalState, step) || (hadSandbox && step === contextIds.sandboxTried),
  );
}

export function isDone(globalState: vscode.Memento, step: RememberedStep): boolean {
  return globalState.get<boolean>(keyOf(step)) === true;
}

/** Checks off a step, in this window and in all later ones. */
export async function remember(globalState: vscode.Memento, step: RememberedStep): Promise<void> {
  // Before the first await: the next delivery of a burst asks whether the step is done.
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
