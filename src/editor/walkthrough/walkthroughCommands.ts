import * as v from 'valibot';
import * as vscode from 'vscode';
import { webhookEnvelope } from '../../model/deliveries/webhookEnvelope.ts';
import { t } from '../../model/text/l10n.ts';
import { UserError } from '../../model/text/userError.ts';
import { command, type CommandsOf } from '../commands.ts';
import { commandIds, contextIds, walkthroughId } from '../ids.ts';
import type { Listener, WebhookSecrets } from '../listener/feature.ts';

/** The commands that open the walkthrough, or are used only in it. */
export function walkthroughCommands(
  context: vscode.ExtensionContext,
  listener: Listener,
  secrets: WebhookSecrets,
): CommandsOf<'walkthrough'> {
  return {
    [commandIds.openWalkthrough]: command(v.object({}), async () => {
      const id = `${context.extension.id}#${walkthroughId}`;
      await vscode.commands.executeCommand('workbench.action.openWalkthrough', id, false);
      // VS Code checks off a step whose key becomes true after it has read the steps, not one that was true before.
      await vscode.commands.executeCommand('setContext', contextIds.walkthroughShown, true);
    }),

    [commandIds.breakDelivery]: command(v.object({}), async () => {
      const id = await sendBroken(listener, secrets);
      return vscode.commands.executeCommand<string>(commandIds.explainDelivery, { id });
    }),
  };
}

/**
 * Sends a delivery that does not verify: it is signed with the secret plus a newline, as by a sender that reads the
 * secret from a file and keeps the newline at its end. @returns the id of the delivery
 */
async function sendBroken(listener: Listener, secrets: WebhookSecrets): Promise<string> {
  const { secret } = await (await secrets.store()).ensure();
  const runId = `broken-${crypto.randomUUID().slice(0, 8)}`;
  const body = webhookEnvelope({ runId, appName: 'test', status: 200, result: '{"ok":true}' }, Date.now());
  await listener.sender.sendTest({ body, secret: `${secret}\n` });
  const { deliveries } = await listener.page({ run: runId }, 1);
  const [delivery] = deliveries;
  if (delivery === undefined) throw new UserError(t('There is no delivery {0}.', runId));
  return delivery.id;
}
