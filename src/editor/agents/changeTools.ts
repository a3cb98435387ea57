import * as vscode from 'vscode';
import { commandIds } from '../../contract/commands.ts';
import { loopbackUrl } from '../../agents/toolValues.ts';
import { type AppSettings, validate } from '../../service/settings/appSettings.ts';
import { type ListenerState, endpointFor } from '../../deliveries/listenerState.ts';
import { maskJson, maskSecrets } from '../../shared/masking/likelySecrets.ts';
import { t } from '../../shared/text/l10n.ts';
import { oneLine, plainText } from '../../shared/text/plainText.ts';
import { appName as nameOf } from '../../service/projects/project.ts';
import { type RunUrl, runUrl, withWebhook } from '../../service/runs/runUrl.ts';
import { UserError } from '../../shared/text/userError.ts';
import type { Projects } from '../projects/feature.ts';
import { settingsDiff } from '../../service/settings/settingsText.ts';
import type { Tool, ToolSet } from './tool.ts';
import type { Delivery } from '../../contract/delivery.ts';
import type { ForwardTarget } from '../../deliveries/destination.ts';
import { verdictText } from '../../deliveries/verdictText.ts';
import type { Answer } from '../../deliveries/listenerProtocol.ts';
import type { Replay } from '../listener/feature.ts';

/** What the tools that change something need. */
export interface ChangeToolsParts extends ReplayToolParts {
  projects: Pick<Projects, 'get' | 'activeAccount' | 'service'>;
  listener: ReplayToolParts['listener'] & { readonly state: ListenerState };
  /** The settings that are assumed to be in force. */
  known: (app: { projectId: string; appId: string }) => AppSettings;
}

export type ChangeTools = Pick<
  ToolSet,
  'applySettings' | 'runApp' | 'sendTestDelivery' | 'replayDelivery' | 'deliverHere'
>;

/**
 * The tools that send something. Each asks for confirmation in the chat, which a user may have set to be given
 * automatically. The commands that they call ask again under `prod`, where no model can answer.
 */
export function changeTools({ projects, listener, known }: ChangeToolsParts): ChangeTools {
  return {
    replayDelivery: replayTool({ listener }),
    applySettings: {
      progress: ({ appId }) => t('Applying settings to {0}', plainText(appId)),
      question: ({ projectId, appId, settings }) => {
        const app = projects.get(projectId).apps.find(({ id }) => id === appId);
        if (app === undefined) throw new UserError(t('The project {0} has no app {1}.', projectId, appId));
        const checked = validate(settings);
        if (!checked.ok) throw new UserError(checked.problems.map(({ text }) => text).join(' '));
        return {
          title: t('Apply settings to {0}?', place(projects, projectId, nameOf(app))),
          text: t('Previous values are those last applied from this machine, if any.'),
          code: { language: 'diff', text: settingsDiff(known({ projectId, appId }), checked.settings) },
        };
      },
      run: (input, signal) =>
        vscode.commands.executeCommand(commandIds.applyAppSettings, { ...input, signal }),
    },
    runApp: {
      progress: ({ appName }) => t('Running {0}', plainText(appName)),
      question: ({ projectId, appName, path = 'run', method = 'POST', body, webhook = false }) => {
        const written = runUrl(projects.service(projectId).proxyUrl, { projectId, appName, path });
        const url = webhook ? toListener(written, appName, listener.state) : written;
        const call = `${oneLine(method.toUpperCase())} ${url.href}`;
        return {
          title: t('Run {0}?', place(projects, projectId, appName)),
          text: resultText(written, webhook),
          code: { language: 'http', text: [call, ...jsonLines(body)].join('\n') },
        };
      },
      run: async (input, signal) => {
        // The chat shows the answer.
        const argument = { ...input, quiet: true, signal };
        const { bodyText, ...result } = await vscode.commands.executeCommand<Record<string, unknown>>(
          commandIds.runApp,
          argument,
        );
        const exact = typeof bodyText === 'string' ? { bodyText: maskSecrets(bodyText) } : {};
        // The response may contain text that looks like a token, though it is not one that is held.
        // guard S109: What looks like a token or secret is masked in deliveries and answers of apps.
        return { ...result, headers: maskJson(result.headers), body: maskJson(result.body), ...exact };
      },
    },
    deliverHere: {
      progress: ({ runId }) => t('Delivering the response of {0} here', plainText(runId)),
      question: ({ runId }) => ({
        title: t('Deliver the response of {0} here?', plainText(runId)),
        text: t('The delivery is made here and signed with the webhook secret. Your handler gets it.'),
        code: { language: 'text', text: oneLine(runId) },
      }),
      run: ({ runId }) => vscode.commands.executeCommand(commandIds.deliverHere, { id: runId }),
    },
    sendTestDelivery: {
      progress: () => t('Sending a test delivery'),
      question: ({ to, body }) => ({
        title:
          to === undefined
            ? t('Send a test delivery to the listener?')
            : t('Send a test delivery to {0}?', loopbackUrl(to).href),
        text: t('It is signed with the webhook secret, as the service would sign it.'),
        code: { language: 'json', text: jsonLines(body).join('\n') },
      }),
      run: ({ to, ...rest }) =>
        vscode.commands.executeCommand(commandIds.sendTestDelivery, {
          ...rest,
          ...(to !== undefined && { to: loopbackUrl(to).href }),
        }),
    },
  };
}

/** The call as it will be sent, as far as that is known before the listener listens. */
function toListener(written: RunUrl, appName: string, state: ListenerState): RunUrl {
  if (state.kind !== 'listening' || written.resultAddresses.length > 0) return written;
  const endpoint = endpointFor(written.hostname, appName, state);
  return endpoint === undefined ? written : withWebhook(written, endpoint);
}

/** Says where the result goes besides the response. */
function resultText({ resultAddresses }: RunUrl, webhook: boolean): string {
  // guard S107: The question shows the URL that is sent and each address of the result.
  const addresses = resultAddresses.map(({ href }) => href).join(', ');
  if (addresses === '') {
    return webhook
      ? t('The result is also delivered to the listener of this window.')
      : t('The result is not delivered anywhere.');
  }
  return webhook
    ? t('The result is also sent to {0}, signed with your webhook secret.', addresses)
    : t('The result is also sent to {0}.', addresses);
}

/** An app, its project, and the environment that the call would be made in. */
function place(projects: ChangeToolsParts['projects'], projectId: string, app: string): string {
  const { name, id } = projects.get(projectId);
  const environment = projects.activeAccount(projectId)?.environment;
  const parts = [app, name ?? id, ...(environment === undefined ? [] : [environment])];
  return parts.map((one) => plainText(one)).join(' · ');
}

function jsonLines(body: unknown): string[] {
  return body === undefined ? [] : [JSON.stringify(body, undefined, 2)];
}

/** What the replay tool needs. */
interface ReplayToolParts {
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
        text: resign ? t('It is signed anew with the webhook secret.') : t('It is sent as it came.'),
        code: { language: 'http', text: sentLines(delivery).join('\n') },
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
    t('There is no handler to replay to: set "runhook.listener.forwardTo" to its address.'),
  );
}

/** @throws UserError if a stranger may have sent it: signed again, it would look like one from the service */
function checkSigned({ verdict }: Delivery): void {
  // guard S114: Only a delivery that verified on arrival is signed again.
  if (verdict === 'verified' || verdict === 'stale') return;
  throw new UserError(
    t(
      'Language models may not sign a delivery anew whose signature did not match ({0}).',
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
