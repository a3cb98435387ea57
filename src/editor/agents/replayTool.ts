import * as vscode from 'vscode';
import { loopbackUrl } from '../../model/agents/loopbackUrl.ts';
import type { Delivery } from '../../model/deliveries/delivery.ts';
import type { ForwardTarget } from '../../model/deliveries/destination.ts';
import { verdictText } from '../../model/deliveries/verdictText.ts';
import { maskSecrets } from '../../model/masking/masking.ts';
import type { Answer } from '../../model/processes/listenerProtocol.ts';
import { t } from '../../model/text/l10n.ts';
import { oneLine } from '../../model/text/oneLine.ts';
import { plainText } from '../../model/text/plainText.ts';
import { UserError } from '../../model/text/userError.ts';
import type { Replay } from '../listener/feature.ts';
import type { Tool } from './tool.ts';

/** What the replay tool needs. */
export interface ReplayToolParts {
  listener: {
    get(id: string): Promise<Delivery>;
    readonly destinations: { forwardOf(appName: string | undefined): ForwardTarget };
    readonly sender: { replay(what: Replay, signal: AbortSignal): Promise<Answer> };
  };
}

/** Sends a kept delivery to the local app again, and nowhere else, even if the model was manipulated. */
export function replayTool({ listener }: ReplayToolParts): Tool<'replayDelivery'> {
  return {
    progress: () => t('Replaying a delivery'),
    question: async ({ id, resign = false }) => {
      const delivery = await listener.get(id);
      const to = localApp(listener.destinations.forwardOf(delivery.appName));
      if (resign) checkSigned(delivery);
      return {
        title: t('Replay a delivery to {0}?', plainText(to.href)),
        message: new vscode.MarkdownString()
          .appendText(resign ? t('It is signed again with the webhook secret.') : t('It is sent as it came.'))
          .appendCodeblock(sentLines(delivery).join('\n'), 'http'),
      };
    },
    run: async ({ id, resign = false }, signal) => {
      const delivery = await listener.get(id);
      const to = localApp(listener.destinations.forwardOf(delivery.appName));
      if (resign) checkSigned(delivery);
      signal.throwIfAborted();
      const { status, durationMs, body } = await listener.sender.replay({ id, to, resign }, signal);
      return { to: to.href, status, durationMs, answer: maskSecrets(body) };
    },
  };
}

/** Where incoming deliveries are forwarded. @throws UserError if that is nowhere, or not on this machine */
function localApp(forward: ForwardTarget): URL {
  if (forward.kind === 'invalid') return loopbackUrl(forward.text);
  if ('to' in forward) return loopbackUrl(forward.to);
  throw new UserError(
    t('There is no local app to replay to: set "runhook.listener.forwardTo" to its address.'),
  );
}

/** @throws UserError if a stranger may have sent it: signed again, it would look like one from the service */
function checkSigned({ verdict }: Delivery): void {
  // guard: only what had the right signature when it arrived is signed again
  if (verdict === 'verified' || verdict === 'stale') return;
  throw new UserError(
    t(
      'A delivery whose signature did not match ({0}) is not signed again for a language model.',
      verdictText(verdict),
    ),
  );
}

/** The lines that identify a delivery; its body can be seen in the view. */
function sentLines({ method, path, verdict, receivedAt, bytes, runId, appName }: Delivery): string[] {
  const said = [appName, runId].filter((one) => one !== undefined);
  return [`${method} ${path}`, ...said, `${verdict} · ${receivedAt} · ${bytes} B`].map((line) =>
    maskSecrets(oneLine(line)),
  );
}
