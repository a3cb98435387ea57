import * as vscode from 'vscode';
import { config } from '../config.ts';
import { contextIds } from '../ids.ts';
import { type Log, logError } from '../log.ts';
import type { Projects, Tokens } from '../projects/feature.ts';

export interface WalkthroughParts {
  projects: Projects;
  tokens: Tokens;
  applied: { onDidChange: vscode.Event<unknown> };
  listener: { onDidReceiveDelivery: vscode.Event<unknown> };
  log: Log;
}

/** Checks off a step of the walkthrough when what it tells of is done, however the user came to do it. */
export function registerWalkthrough({
  projects,
  tokens,
  applied,
  listener,
  log,
}: WalkthroughParts): vscode.Disposable {
  const told = new Map<string, boolean>();
  const tell = (id: string, isTrue: boolean): void => {
    // Each call goes to the window: ten thousand of them in a burst of deliveries would keep it from the user.
    if ((told.get(id) ?? false) === isTrue) return;
    told.set(id, isTrue);
    void vscode.commands.executeCommand('setContext', id, isTrue);
  };
  const done = (id: string): void => tell(id, true);
  const look = async (): Promise<void> => {
    // The sandbox's project and its token come by themselves: they count for no step but its own.
    const own = config.projects();
    // The palette goes by it, too, and has nothing for projects where there are none any more.
    tell(contextIds.projectAdded, own.length > 0);
    for (const { id, serviceAccounts } of own) {
      for (const account of serviceAccounts) {
        const { kind } = await tokens.state(projects.tokenOwner(id, account.id));
        if (kind === 'stored') done(contextIds.tokenSet);
      }
    }
  };
  const lookAgain = (): void => {
    look().catch((error: unknown) => logError(log, error));
  };
  lookAgain();
  return vscode.Disposable.from(
    projects.onDidChange(lookAgain),
    tokens.onDidChange(lookAgain),
    applied.onDidChange(() => done(contextIds.settingApplied)),
    listener.onDidReceiveDelivery(() => done(contextIds.deliveryReceived)),
  );
}
