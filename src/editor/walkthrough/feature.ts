import * as vscode from 'vscode';
import type { Provides } from '../commands.ts';
import { config } from '../config.ts';
import type { Explainer } from '../deliveries/feature.ts';
import { contextIds } from '../ids.ts';
import type { Services } from '../kit/services.ts';
import { logError } from '../log.ts';
import { isDone, remember, type RememberedStep } from './doneSteps.ts';

/** Checks off a step of the walkthrough when its action is done, however the user came to do it. */
export function registerWalkthrough(services: Services & { explainer: Explainer }): Provides<'walkthrough'> {
  const { context, projects, tokens, secrets, sandbox, listener, explainer, log } = services;
  const { globalState } = context;
  const inBackground = (work: Promise<unknown>): void => {
    work.catch((error: unknown) => logError(log, error));
  };
  const done = (step: RememberedStep): void => {
    // Each call goes to the window: ten thousand of them in a burst of deliveries would make it unresponsive.
    if (!isDone(globalState, step)) inBackground(remember(globalState, step));
  };
  const lastValues = new Map<string, boolean>();
  const setContextKey = (id: string, isTrue: boolean): void => {
    if ((lastValues.get(id) ?? false) === isTrue) return;
    lastValues.set(id, isTrue);
    void vscode.commands.executeCommand('setContext', id, isTrue);
  };
  const look = async (): Promise<void> => {
    // The sandbox adds its project and token by itself: they count for no step but the sandbox's.
    const configured = config.projects();
    // The palette uses this key too, and hides the project commands when there are no projects any more.
    setContextKey(contextIds.projectAdded, configured.length > 0);
    for (const { id, serviceAccounts } of configured) {
      for (const account of serviceAccounts) {
        const { kind } = await tokens.state(projects.tokenOwner(id, account.id));
        if (kind === 'stored') setContextKey(contextIds.tokenSet, true);
      }
    }
  };
  /** Looks for deliveries that arrived while no window was open, or before the step was remembered. */
  const lookForDeliveries = async (): Promise<void> => {
    if (isDone(globalState, contextIds.deliveryReceived)) return;
    if ((await listener.page({}, 1)).deliveries.length > 0) done(contextIds.deliveryReceived);
  };
  const lookAgain = (): void => inBackground(look());
  lookAgain();
  const owned = vscode.Disposable.from(
    projects.onDidChange(lookAgain),
    tokens.onDidChange(lookAgain),
    sandbox.onDidChangeState(({ kind }) => kind === 'running' && done(contextIds.sandboxTried)),
    listener.onDidReceiveDelivery(() => done(contextIds.deliveryReceived)),
    listener.onDidAttach(() => inBackground(lookForDeliveries())),
    explainer.onDidExplain(({ picture }) => picture.kind !== 'right' && done(contextIds.deliveryExplained)),
  );
  return {
    commands: async () => {
      const { walkthroughCommands } = await import('./walkthroughCommands.ts');
      return walkthroughCommands(context, listener, secrets);
    },
    dispose: () => void owned.dispose(),
  };
}
