import * as vscode from 'vscode';
import type { CommandsOf } from '../kit/commands.ts';
import type { Delivery } from '../../contract/delivery.ts';
import { t } from '../../shared/text/l10n.ts';
import { bodyOf } from '../../deliveries/deliveryBody.ts';
import { curlCommand, secretVariables } from '../../service/requests/copiedRequest.ts';
import { config } from '../kit/config.ts';
import type { Prompts } from '../kit/prompts.ts';
import type { Listener } from '../listener/feature.ts';
import { cancellableProgress, showBriefly } from '../kit/progress.ts';
import { showDocument } from '../kit/showDocument.ts';
import { type AnswerPart, deliveryUri, openTab, type Part, shows } from './deliveryUri.ts';
import type { Explainer } from './explanation/explainer.ts';
import type { ExplanationPanels } from './explanation/explanationPanels.ts';
import type { FixtureSaver } from './fixtures/fixtureSaver.ts';
import { pickDelivery } from './view/pickDelivery.ts';

/** Commands that show, copy, save or delete deliveries. None of them sends anything. */
export function deliveryCommands(
  listener: Listener,
  prompts: Prompts,
  explainer: Explainer,
  panels: ExplanationPanels,
  fixtures: FixtureSaver,
) {
  const open = async (delivery: Delivery, part: Exclude<Part, AnswerPart>): Promise<void> => {
    await show(delivery, part);
    listener.looks.open(delivery.id);
  };
  return {
    listDeliveries: (argument) => listener.list(argument?.limit),

    openDelivery: async (argument) => {
      await open(await pickDelivery(listener, prompts, t('Open Delivery'), argument?.id), 'delivery');
    },

    openDeliveryBody: async (argument) => {
      await open(await pickDelivery(listener, prompts, t('Open Raw Body'), argument?.id), 'body');
    },

    explainDelivery: async (argument) => {
      const delivery = await pickDelivery(listener, prompts, t('Explain Delivery'), argument?.id);
      const work = (signal: AbortSignal) => explainer.delivery(delivery.id, signal);
      const explanation = await cancellableProgress(t('Explaining a delivery'), work);
      panels.show(delivery.id, explanation);
      listener.looks.open(delivery.id);
      return explanation.text;
    },

    copyDeliveryAsCurl: async (argument) => {
      const picked = await pickDelivery(listener, prompts, t('Copy Delivery as cURL'), argument?.id);
      const delivery = await listener.whole(picked.id);
      const secrets = secretVariables((await listener.secrets()).map(({ secret }) => secret));
      const { method, headers } = delivery;
      const command = curlCommand(
        { method, url: targetOf(delivery, listener), headers, body: bodyOf(delivery) },
        secrets,
      );
      await vscode.env.clipboard.writeText(command);
      showBriefly(t('Copied the delivery as a cURL command.'));
      return command;
    },

    saveDeliveryAsFixture: async (argument, from) => {
      const { id } = await pickDelivery(listener, prompts, t('Save Delivery as Fixture'), argument?.id);
      return (await fixtures.save(await listener.whole(id), from !== 'caller')).toString();
    },

    // Does not ask: keybindings and other extensions call it without an argument (design: section 4).
    clearDeliveries: () => listener.clear(),
  } satisfies Partial<CommandsOf<'deliveries'>>;
}

async function show(delivery: Delivery, part: Exclude<Part, AnswerPart>): Promise<void> {
  const front = vscode.window.activeTextEditor?.document.uri;
  // A command run from a delivery's document does not replace that document in its tab.
  const isAskedThere = part !== 'delivery' && front !== undefined && shows(front, delivery.id, 'delivery');
  const open = openTab(delivery.id, part);
  const uri = open ?? deliveryUri(delivery, part);
  const editor = await showDocument(uri, { preview: !isAskedThere });
  // A document that is open already keeps the folding of the user.
  if (part === 'delivery' && open === undefined) await foldHeaders(editor.document);
}

/** Folds the headers into one line. Most users look for the body, which comes first. */
async function foldHeaders(document: vscode.TextDocument): Promise<void> {
  const lines = document.getText().split('\n');
  // Only one key has this name at an indent of two spaces: keys of the body are indented further.
  const line = lines.indexOf('  "headers": {');
  if (line >= 0) await vscode.commands.executeCommand('editor.fold', { selectionLines: [line], levels: 1 });
}

/** The URL at which the listener receives this delivery again: on its current port, or the one it would use. */
function targetOf({ path }: Delivery, { state }: Listener): string {
  const port = state.kind === 'listening' ? state.port : config.listenerPort() || 8787;
  return `http://127.0.0.1:${port}${path.startsWith('/') ? '' : '/'}${path}`;
}
