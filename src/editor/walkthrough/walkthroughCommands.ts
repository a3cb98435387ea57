import * as v from 'valibot';
import * as vscode from 'vscode';
import { webhookEnvelope } from '../../model/deliveries/webhookEnvelope.ts';
import { t } from '../../model/text/l10n.ts';
import { UserError } from '../../model/text/userError.ts';
import { command, type CommandsOf } from '../commands.ts';
import { commandIds, contextIds, walkthroughId } from '../ids.ts';
import type { Listener, WebhookSecrets } from '../listener/feature.ts';

/** Opens the walkthrough, and does what is done in it alone. */
export function walkthroughCommands(
  context: vscode.ExtensionContext,
  listener: Listener,
  secrets: WebhookSecrets,
): CommandsOf<'walkthrough'> {
  return {
    [commandIds.openWalkthrough]: command(v.object({}), async () => {
      const id = `${context.extension.id}#${walkthroughId}`;
      await vscode.commands.executeCommand('workbench.action.openWalkthrough', id, false);
      // VS Code checks off what comes true after it has looked at the steps, not what was true by then.
      await vscode.commands.executeCommand('setContext', contextIds.walkthroughShown, true);
    }),

    [commandIds.breakDelivery]: command(v.object({}), async () => {
      const id = await sendBroken(listener, secrets);
      return vscode.commands.executeCommand<string>(commandIds.explainDelivery, { id });
    }),
  };
}

/**
 * Has the listener refuse a delivery: its sender signs with the secret and the newline at the end of the file that it
 * read the secret from. @returns the id of the delivery
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
