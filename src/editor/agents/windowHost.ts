import * as vscode from 'vscode';
import { commandIds } from '../../contract/commands.ts';
import type { ToolHost } from '../../agents/tools.ts';
import { impatientMs } from '../../deliveries/replay.ts';
import { systemClock } from '../../shared/async/clock.ts';
import { t } from '../../shared/text/l10n.ts';
import { UserError } from '../../shared/text/userError.ts';
import type { Explainer } from '../deliveries/feature.ts';
import type { Services } from '../kit/services.ts';

export interface WindowHostParts extends Pick<Services, 'projects' | 'listener' | 'runs'> {
  explainer: Pick<Explainer, 'delivery'>;
}

/** The window as the place where tools act: mostly by its commands, which ask under `prod`. */
export function windowHost({ projects, listener, runs, explainer }: WindowHostParts): ToolHost {
  const call = vscode.commands.executeCommand;
  return {
    projects: () => projects.all(),
    listKeys: (account) => call(commandIds.listKeys, account),
    applySettings: (change, signal) => call(commandIds.applyAppSettings, { ...change, signal }),
    // The chat shows the answer.
    runApp: async (asked, signal) => call(commandIds.runApp, { ...asked, quiet: true, signal }),
    deliverHere: (id) => call(commandIds.deliverHere, { id }),
    newest: async (limit) => call(commandIds.listDeliveries, { limit }),
    whole: (id) => listener.whole(id),
    // Not the command, which would open a document in the editor.
    explanation: async (id, signal) => (await explainer.delivery(id, signal)).text,
    waiting: () => ({ listener, runs, clock: systemClock }),
    sendTest: (test) => call(commandIds.sendTestDelivery, test),
    delivery: (id) => listener.get(id),
    handlerOf: (appName) => {
      const forward = listener.destinations.forwardOf(appName);
      if (forward.kind === 'invalid') return forward.text;
      if ('to' in forward) return forward.to;
      throw new UserError(
        t('There is no handler to replay to: set "runhook.listener.forwardTo" to its address.'),
      );
    },
    replay: (what, signal) => listener.sender.replay({ ...what, limitMs: impatientMs }, signal),
  };
}
