import { type ToolHost, replayed } from '../../agents/tools.ts';
import { type AgentToolName, loopbackUrl } from '../../agents/toolValues.ts';
import { type AppSettings, validate } from '../../service/settings/appSettings.ts';
import { type ListenerState, endpointFor } from '../../deliveries/listenerState.ts';
import { maskSecrets } from '../../shared/masking/likelySecrets.ts';
import { t } from '../../shared/text/l10n.ts';
import { sentences } from '../../shared/text/sentences.ts';
import { oneLine, plainText } from '../../shared/text/plainText.ts';
import { appName as nameOf } from '../../service/projects/project.ts';
import { type RunUrl, runUrl, withWebhook } from '../../service/runs/runUrl.ts';
import { UserError } from '../../shared/text/userError.ts';
import type { Projects } from '../projects/feature.ts';
import { settingsDiff } from '../../service/settings/settingsText.ts';
import type { Tool } from './tool.ts';
import type { Delivery } from '../../contract/delivery.ts';

/** What the texts are read from. */
export interface ToolTextsParts {
  projects: Pick<Projects, 'get' | 'activeAccount' | 'service'>;
  listener: { readonly state: ListenerState };
  /** The settings that are assumed to be in force. */
  known: (app: { projectId: string; appId: string }) => AppSettings;
}

/** What the window says of each tool. */
type ToolTexts = { [Name in AgentToolName]: Omit<Tool<Name>, 'run'> };

/**
 * What is shown while a tool runs, and what is asked before it sends something. A user may have set the chat to confirm
 * automatically; the commands that tools call ask again under `prod`, where no model can answer.
 */
export function toolTexts(
  { projects, listener, known }: ToolTextsParts,
  host: Pick<ToolHost, 'delivery' | 'handlerOf'>,
): ToolTexts {
  return {
    listProjects: { progress: () => t('Listing the projects') },
    listKeys: {
      progress: ({ serviceAccountId }) => t('Listing the keys of {0}', plainText(serviceAccountId)),
    },
    validateSettings: { progress: () => t('Checking app settings') },
    listDeliveries: { progress: () => t('Listing the deliveries') },
    getDelivery: { progress: () => t('Reading a delivery') },
    explainDelivery: { progress: () => t('Explaining a delivery') },
    waitForDelivery: {
      progress: ({ runId }) => t('Waiting for the delivery of {0}', plainText(runId)),
    },
    replayDelivery: {
      progress: () => t('Replaying a delivery'),
      question: async (asked) => {
        const { delivery, to } = await replayed(host, asked);
        return {
          title: t('Replay a delivery to {0}?', plainText(to.href)),
          text: asked.resign ? t('It is signed anew with the webhook secret.') : t('It is sent as it came.'),
          code: { language: 'http', text: sentLines(delivery).join('\n') },
        };
      },
    },
    applySettings: {
      progress: ({ appId }) => t('Applying settings to {0}', plainText(appId)),
      question: ({ projectId, appId, settings }) => {
        const app = projects.get(projectId).apps.find(({ id }) => id === appId);
        if (app === undefined) throw new UserError(t('The project {0} has no app {1}.', projectId, appId));
        const checked = validate(settings);
        if (!checked.ok) throw new UserError(sentences(...checked.problems.map(({ text }) => text)));
        return {
          title: t('Apply settings to {0}?', place(projects, projectId, nameOf(app))),
          text: t('Previous values are those last applied from this machine, if any.'),
          code: { language: 'diff', text: settingsDiff(known({ projectId, appId }), checked.settings) },
        };
      },
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
    },
    deliverHere: {
      progress: ({ runId }) => t('Delivering the response of {0} here', plainText(runId)),
      question: ({ runId }) => ({
        title: t('Deliver the response of {0} here?', plainText(runId)),
        text: t('The delivery is made here and signed with the webhook secret. Your handler gets it.'),
        code: { language: 'text', text: oneLine(runId) },
      }),
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
      ? t('The response is also delivered to the listener of this window.')
      : t('The response is not delivered anywhere.');
  }
  return webhook
    ? t('The response is also sent to {0}, signed with your webhook secret.', addresses)
    : t('The response is also sent to {0}.', addresses);
}

/** An app, its project, and the environment that the call would be made in. */
function place(projects: ToolTextsParts['projects'], projectId: string, app: string): string {
  const { name, id } = projects.get(projectId);
  const environment = projects.activeAccount(projectId)?.environment;
  const parts = [app, name ?? id, ...(environment === undefined ? [] : [environment])];
  return parts.map((one) => plainText(one)).join(' · ');
}

function jsonLines(body: unknown): string[] {
  return body === undefined ? [] : [JSON.stringify(body, undefined, 2)];
}

/** The lines that identify a delivery; its body can be seen in the view. */
function sentLines({ method, path, verdict, receivedAt, bytes, runId, appName }: Delivery): string[] {
  const said = [appName, runId].filter((one) => one !== undefined);
  return [`${method} ${path}`, ...said, `${verdict} · ${receivedAt} · ${bytes} B`].map((line) =>
    maskSecrets(oneLine(line)),
  );
}
