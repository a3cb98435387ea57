import * as vscode from 'vscode';
import { commandIds } from '../../contract/commands.ts';
import { webhookEnvelope } from '../../service/webhookEnvelope.ts';
import { t } from '../../shared/text/l10n.ts';
import { UserError } from '../../shared/text/userError.ts';
import type { CommandsOf, Provides } from '../kit/commands.ts';
import { config } from '../kit/config.ts';
import type { Explainer } from '../deliveries/feature.ts';
import { contextIds, walkthroughId } from '../kit/ids.ts';
import type { Services } from '../kit/services.ts';
import type { Listener, WebhookSecrets } from '../listener/feature.ts';
import { logError } from '../kit/log.ts';
import { type RememberedStep, isDone, remember } from './doneSteps.ts';

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
        const { kind } = await tokens.state(
          projects.tokenOwner({ projectId: id, serviceAccountId: account.id }),
        );
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
    commands: () => Promise.resolve(walkthroughCommands(context, listener, secrets)),
    dispose: () => void owned.dispose(),
  };
}

/** The commands that open the walkthrough, or are used only in it. */
function walkthroughCommands(
  context: vscode.ExtensionContext,
  listener: Listener,
  secrets: WebhookSecrets,
): CommandsOf<'walkthrough'> {
  return {
    openWalkthrough: async () => {
      const id = `${context.extension.id}#${walkthroughId}`;
      await vscode.commands.executeCommand('workbench.action.openWalkthrough', id, false);
      // VS Code checks off a step whose key becomes true after it has read the steps, not one that was true before.
      await vscode.commands.executeCommand('setContext', contextIds.walkthroughShown, true);
    },

    breakDelivery: async () => {
      const id = await sendBroken(listener, secrets);
      return vscode.commands.executeCommand<string>(commandIds.explainDelivery, { id });
    },
  };
}

/**
 * Sends a delivery that does not verify: it is signed with the secret plus a newline, as by a sender that reads the
 * secret from a file and keeps the newline at its end. @returns the id of the delivery
 */
async function sendBroken(listener: Listener, secrets: WebhookSecrets): Promise<string> {
  const { secret } = await (await secrets.store()).ensure();
  // Short: the row has the reason beside it.
  const runId = `broken-${crypto.randomUUID().slice(0, 4)}`;
  const body = webhookEnvelope({ runId, appName: 'test', status: 200, result: '{"ok":true}' }, Date.now());
  await listener.sender.sendTest({ body, secret: `${secret}\n` });
  const { deliveries } = await listener.page({ run: runId }, 1);
  const [delivery] = deliveries;
  if (delivery === undefined) throw new UserError(t('There is no delivery {0}.', runId));
  return delivery.id;
}
