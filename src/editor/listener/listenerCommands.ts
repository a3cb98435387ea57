import * as v from 'valibot';
import * as vscode from 'vscode';
import { secretProblem } from '../../model/webhookSecret.ts';
import { commandIds } from '../ids.ts';
import { PortTakenError } from '../portTakenError.ts';
import type { Prompts } from '../prompts.ts';
import { showBriefly } from '../showBriefly.ts';
import type { DeliveriesOutput } from './deliveriesOutput.ts';
import type { ListenerFeature } from './feature.ts';

const nothing = v.object({});
const portArgument = v.object({
  port: v.exactOptional(v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(65535))),
});
const nextResponses = v.object({
  response: v.union([
    v.pipe(v.number(), v.integer(), v.minValue(200), v.maxValue(599)),
    v.picklist(['hang', 'drop']),
  ]),
  times: v.pipe(v.number(), v.integer(), v.minValue(0)),
});

/** Registers the commands of the listener and its secret. */
export function registerListenerCommands(
  { commands, listener, secrets, prompts }: ListenerFeature,
  output: DeliveriesOutput,
): void {
  commands.register(commandIds.startListener, portArgument, async (argument) => {
    try {
      return await listener.start(argument);
    } catch (error) {
      if (argument !== undefined || !(error instanceof PortTakenError)) throw error;
      const detail = vscode.l10n.t('The listener can take any free port instead.');
      const another = await prompts.confirm(error.message, detail, vscode.l10n.t('Use Another Port'));
      if (!another) throw error;
      return listener.start({ port: 0 });
    }
  });
  commands.register(commandIds.stopListener, nothing, () => listener.stop());
  commands.register(commandIds.showOutput, nothing, () => output.show());
  commands.register(commandIds.setWebhookSecret, v.object({ secret: v.string() }), async (argument) => {
    const secret = argument?.secret ?? (await askForSecret(prompts));
    if (secret === undefined) return;
    await (await secrets.store()).set(secret);
    await listener.configure();
  });
  commands.register(commandIds.rotateWebhookSecret, nothing, async () => {
    await (await secrets.store()).rotate();
    await listener.configure();
    showBriefly(
      vscode.l10n.t('The webhook secret is a new one. The one before verifies for ten more minutes.'),
    );
  });
  commands.register(commandIds.copyWebhookSecret, nothing, async () => {
    const { secret } = await (await secrets.store()).ensure();
    await listener.configure();
    await vscode.env.clipboard.writeText(secret);
    showBriefly(vscode.l10n.t('Copied the webhook secret.'));
  });
  commands.register(commandIds.setNextResponses, nextResponses, async (argument) => {
    const next = argument ?? (await askForResponse(prompts));
    if (next === undefined) return;
    await listener.setNextResponses(next);
    if (argument === undefined) showBriefly(vscode.l10n.t('The next delivery gets that answer.'));
  });
}

function askForSecret(prompts: Prompts): Promise<string | undefined> {
  return prompts.input({
    title: vscode.l10n.t('Set Webhook Secret'),
    prompt: vscode.l10n.t('The secret that the service signs webhooks with'),
    password: true,
    validate: (text) => secretProblem(text, vscode.l10n.t),
  });
}

async function askForResponse(prompts: Prompts): Promise<v.InferOutput<typeof nextResponses> | undefined> {
  const response = await prompts.pick<number | 'hang' | 'drop'>(
    vscode.l10n.t('What the listener answers next'),
    [
      { label: '404', description: vscode.l10n.t('the service repeats it'), value: 404 },
      { label: '500', description: vscode.l10n.t('the service never repeats it'), value: 500 },
      { label: '400', description: vscode.l10n.t('the service never repeats it'), value: 400 },
      { label: '302', description: vscode.l10n.t('the service repeats it'), value: 302 },
      {
        label: vscode.l10n.t('No answer'),
        description: vscode.l10n.t('the service repeats it'),
        value: 'hang',
      },
      {
        label: vscode.l10n.t('Close the connection'),
        description: vscode.l10n.t('the service repeats it'),
        value: 'drop',
      },
    ],
  );
  return response === undefined ? undefined : { response, times: 1 };
}
