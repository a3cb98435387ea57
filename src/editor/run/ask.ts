import type * as vscode from 'vscode';
import { runHead } from '../../service/client/runClient.ts';
import { maskSecrets } from '../../shared/masking/likelySecrets.ts';
import { noAddress } from '../../service/endpoints.ts';
import { type AppRef, appName as nameOf } from '../../service/projects/project.ts';
import type { RunInput } from '../../service/runs/run.ts';
import { type RunUrl, runUrl, withWebhook } from '../../service/runs/runUrl.ts';
import { secretProblem, unsendableReason } from '../../service/signature/webhookSecret.ts';
import { isLoopback } from '../../shared/http/loopback.ts';
import { t } from '../../shared/text/l10n.ts';
import { plainText } from '../../shared/text/plainText.ts';
import { mendedBy, UserError } from '../../shared/text/userError.ts';
import type { Listener, WebhookSecrets } from '../listener/feature.ts';
import type { Access, AppCall, Projects } from '../projects/feature.ts';
import { DeclinedError, type Prompts } from '../kit/prompts.ts';
import { readPayload, type PayloadVariable } from './payloads/payload.ts';
import type { Call } from './resolve.ts';

/** A call that is checked and allowed, with a place for its delivery to go to. */
export interface AllowedCall extends Call {
  /** The URL as the user wrote it. */
  written: RunUrl;
  /** The URL as it is sent. */
  url: RunUrl;
  /** Signs the delivery; undefined if nothing does. */
  secret: string | undefined;
  /** The token that the call uses, and the service that it goes to. */
  access: Access;
}

export interface AskParts {
  projects: Pick<Projects, 'get' | 'service' | 'access'>;
  listener: Pick<Listener, 'webhookEndpoint' | 'configure'>;
  secrets: Pick<WebhookSecrets, 'store'>;
  prompts: Prompts;
  /** What this workspace remembers. */
  workspaceState: vscode.Memento;
  workspace: Pick<typeof vscode.workspace, 'isTrusted' | 'asRelativePath'>;
}

/** Stands in for a token or a secret. Code that writes the call down replaces it by a variable. */
export const placeholder = 'from-the-environment';

/**
 * Checks a call and asks for what is missing: a token, the listener, and permission to run under `prod` or if the call
 * contains more than the user has seen.
 * @throws UserError for unknown projects and apps, and for calls that cannot be sent
 */
export async function allowed(parts: AskParts, call: Call): Promise<AllowedCall> {
  const { projects } = parts;
  const { input, confirmed = false } = call;
  const asked = checkedUrl(projects, input);
  // guard S116: Runhook asks the user, unless the argument says that the user has agreed.
  const access = await projects.access(input.projectId, { ...productionCall(call, asked), confirmed });
  const written = runUrl(access.service.proxyUrl, input);
  if (written.href !== asked.href) {
    throw new UserError(t('The address of the service changed while you were asked. Run again.'), {
      remedies: [{ kind: 'tryAgain' }],
    });
  }
  const webhook = await withDelivery(parts, input, written, () => runSecret(parts, input, call.secret));
  // guard S53: The first run of a file asks, and again if any part of the call but the body has changed.
  if (!confirmed) await askBeforeRun(parts, { ...call, written, url: webhook.url });
  const [named] = written.resultAddresses;
  const namedWebhook = input.webhook === true && named !== undefined && { webhook: named.href };
  return { ...call, input: { ...input, ...namedWebhook }, written, ...webhook, access };
}

/** The URL of a call. Refuses calls that cannot be sent, before anything is asked or started. */
export function checkedUrl(projects: Pick<Projects, 'get' | 'service'>, input: RunInput): RunUrl {
  const { projectId, appName, webhook } = input;
  const project = projects.get(projectId);
  if (!project.apps.some((app) => nameOf(app) === appName)) {
    throw new UserError(t('{0} has no app "{1}".', project.name ?? project.id, appName), {
      remedies: [{ kind: 'addApp', projectId }],
    });
  }
  const service = projects.service(projectId);
  if (service.proxyUrl === '') throw noAddress(projectId, service);
  const url = runUrl(service.proxyUrl, input);
  if (typeof webhook === 'string') withWebhook(url, webhook);
  runHead({ ...input, url }, placeholder);
  return url;
}

/**
 * Adds the webhook to the URL, and finds the secret that signs it. If the query names a result address, that address
 * is used in place of the listener, and signed like any other.
 */
export async function withDelivery(
  { listener }: { listener: Pick<Listener, 'webhookEndpoint'> },
  { webhook, appName }: RunInput,
  written: RunUrl,
  secretOf: () => Promise<string | undefined>,
): Promise<Pick<AllowedCall, 'url' | 'secret'>> {
  if (webhook === false) return { url: written, secret: undefined };
  const secret = await secretOf();
  if (webhook === true && written.resultAddresses.length > 0) return { url: written, secret };
  if (typeof webhook === 'string') return { url: withWebhook(written, webhook), secret };
  const endpoint = await listener.webhookEndpoint(written.hostname, appName);
  try {
    return { url: withWebhook(written, endpoint), secret };
  } catch (error) {
    // The webhook address from the settings cannot be used.
    throw mendedBy(error, [{ kind: 'deliverHere' }, { kind: 'setPublicUrl' }, { kind: 'runWithoutWebhook' }]);
  }
}

/**
 * Finds the secret that signs the webhook of a run.
 * @param given the secret for this run only; if the run needs one and it is absent, the user is asked
 * @returns undefined if the webhook is not signed
 * @throws UserError if no header can carry the secret, DeclinedError if the user gives none
 */
async function runSecret(
  { secrets, prompts, listener }: Pick<AskParts, 'secrets' | 'prompts' | 'listener'>,
  { projectId, appName, signing }: RunInput,
  given: string | undefined,
): Promise<string | undefined> {
  if (signing === 'unsigned') return undefined;
  const app = { projectId, appName };
  const store = await secrets.store();
  const { secret, scope } =
    signing === 'once'
      ? { secret: given ?? (await askOnce(prompts, appName)), scope: app }
      : await store.ensure(app);
  const problem = problemOf(secret);
  if (problem !== undefined)
    throw new UserError(problem, { remedies: [{ kind: 'setWebhookSecret', ...scope }] });
  if (signing === 'once') store.holdOnce(secret, app);
  // The delivery may arrive before the run is answered.
  await listener.configure();
  return secret;
}

async function askOnce(prompts: Prompts, appName: string): Promise<string> {
  const secret = await prompts.input({
    title: t('Run {0}', plainText(appName)),
    prompt: t('The secret for this run, kept in memory for an hour and not stored'),
    password: true,
    validate: problemOf,
  });
  if (secret === undefined) throw new DeclinedError(t('Nothing was run.'));
  return secret;
}

function problemOf(secret: string): string | undefined {
  const problem = secretProblem(secret);
  if (problem !== undefined) return problem;
  const reason = unsendableReason(secret);
  return (
    reason &&
    t('The webhook secret cannot be sent with a run: {0}. Set another one, or run unsigned.', reason)
  );
}

/** The question before a run in production: where the call goes, what it sends, and who gets the result. */
function productionCall({ input, payload }: Call, written: RunUrl): AppCall {
  const { appName, webhook, body } = input;
  const url = typeof webhook === 'string' ? withWebhook(written, webhook) : written;
  return {
    action: t('Run {0}', appName),
    detail: () => {
      const excerpt = plainText(maskSecrets((body ?? '').slice(0, 2000)), 200);
      return [
        ...callLines({ input, written, url }),
        ...(payload === undefined ? [] : [t('Payload: {0}', plainText(payload, 300))]),
        ...(excerpt === '' ? [] : [t('Body: {0}', excerpt)]),
      ];
    },
    verb: t('Run'),
  };
}

const agreedKey = 'run.agreedFiles';
const createdKey = 'run.createdPayloads';
/** How many agreements of each kind are kept. */
const maxAgreements = 500;

/** A call whose URL is known. */
type AskedCall = Call & Pick<AllowedCall, 'written' | 'url'>;

type QuestionParts = Pick<AskParts, 'prompts' | 'workspaceState' | 'workspace'>;

/**
 * Asks before the first run of a file, and of any call that reads the environment, and again where any part of the
 * call but its body is another. Always asks if the result goes to another machine because the file
 * says so, or, with a webhook, because the query says so: somebody else may have written that.
 * @throws DeclinedError if the user declines
 */
async function askBeforeRun(parts: QuestionParts, call: AskedCall): Promise<void> {
  const { prompts, workspaceState, workspace } = parts;
  const elsewhere = unseenAddresses(call).filter(({ hostname }) => !isLoopback(hostname));
  const agreed = () => workspaceState.get<string[]>(agreedKey, []);
  // A payload of this machine that reads the environment may have come from elsewhere.
  const isAsked = call.file !== undefined || (call.reads ?? []).length > 0;
  const agreement = agreementOf(shownCall(call));
  const isNew = isAsked && !agreed().includes(agreement) && !isAsCreated(workspaceState, call);
  if (elsewhere.length === 0 && !isNew) return;
  const name = fileName(workspace, call);
  const question =
    elsewhere.length > 0
      ? t('Send the response of this run to {0}?', elsewhere.map(shownAddress).join(', '))
      : t('Run {0} with {1}?', plainText(call.input.appName), name);
  if (!(await prompts.confirm(question, detailOf(call, name), t('Run')))) {
    throw new DeclinedError(t('Nothing was run.'));
  }
  if (isNew) await workspaceState.update(agreedKey, [...agreed(), agreement].slice(-maxAgreements));
}

/**
 * Agrees for the user to the call of an empty payload that Runhook has created in a trusted workspace, whichever way
 * the user chooses to run it. Any other call of that file is asked for.
 */
export async function agreeToEmpty(
  { projects, workspaceState, workspace }: Pick<AskParts, 'projects' | 'workspaceState' | 'workspace'>,
  { uri, projectId, appName }: AppRef & { uri: vscode.Uri },
): Promise<void> {
  if (!workspace.isTrusted) return;
  const { path, method, headers } = readPayload('{}');
  const input: RunInput = { projectId, appName, path, method, headers, webhook: false };
  let url: RunUrl;
  try {
    url = runUrl(projects.service(projectId).proxyUrl, input);
  } catch (error) {
    // The app cannot be run yet. It is asked for like any other.
    if (error instanceof UserError) return;
    throw error;
  }
  const agreement = asCreated({ input, written: url, url, file: uri });
  const others = workspaceState.get<string[]>(createdKey, []).filter((one) => one !== agreement);
  await workspaceState.update(createdKey, [...others, agreement].slice(-maxAgreements));
}

// guard S53: A payload that Runhook created runs without a question only while its call is that of an empty one.
function isAsCreated(workspaceState: vscode.Memento, call: AskedCall): boolean {
  return call.isWayChosen === true && workspaceState.get<string[]>(createdKey, []).includes(asCreated(call));
}

/** The agreement of a run, without the way that the user chose. */
function asCreated(call: AskedCall): string {
  const shown = shownCall(call);
  const { signing: _chosen, ...written } = shown.written;
  return agreementOf({ ...shown, written: { ...written, webhook: false } });
}

/** A call as the question before it shows it, which somebody else may have written. */
export interface ShownCall {
  /** The file or document that holds the call. */
  source: string | undefined;
  /** The origin of the service. */
  origin: string;
  /** The call as it is written: variables stand in it, not their values, which the user gives or owns. */
  written: RunInput;
  /** The environment variables that it reads. */
  reads: readonly PayloadVariable[];
}

/** What the user agrees to: the call as it is written. */
function shownCall({ input, asWritten = input, url, file, document, reads = [] }: AskedCall): ShownCall {
  return { source: (file ?? document)?.toString(), origin: url.origin, written: asWritten, reads };
}

/**
 * The key of what a user agrees to: each part of the call but its body, so that another one is asked for again. No two
 * calls that differ in one of these have the same key.
 */
export function agreementOf({ source, origin, written, reads }: ShownCall): string {
  const { projectId, appName, method, path, query = {}, headers, webhook, signing = null } = written;
  const byName = (one: readonly unknown[], other: readonly unknown[]) =>
    JSON.stringify(one) < JSON.stringify(other) ? -1 : 1;
  // guard S53: A run is asked for again if any part of the call but the body has changed.
  return JSON.stringify([
    source ?? null,
    method.toUpperCase(),
    [origin, projectId, appName, path, Object.entries(query)],
    Object.entries(headers).sort(byName),
    [webhook, signing],
    reads.map(({ name, place }) => [name, place]).sort(byName),
  ]);
}

/** The result addresses that the user may not have seen: neither the listener nor one the caller passed. */
function unseenAddresses({ input, written, url, file }: AskedCall): readonly URL[] {
  if (file !== undefined) return input.webhook === true ? written.resultAddresses : url.resultAddresses;
  if (input.webhook === false) return [];
  return written.resultAddresses.filter(({ href }) => href !== input.webhook);
}

/** @param name the file of the call */
function detailOf(call: AskedCall, name: string): string {
  const ofFile =
    call.file === undefined
      ? []
      : [
          t('This call comes from {0}.', name),
          ...(call.input.body === undefined ? [] : [t('You are not asked again if only the body changes.')]),
        ];
  return [...callLines(call), ...ofFile].join('\n');
}

/** The call as it is sent, and where its result goes. */
function callLines({ input, asWritten = input, written, url, reads = [] }: AskedCall): string[] {
  return [
    `${plainText(input.method.toUpperCase())} ${plainText(written.href, 1000)}`,
    ...headerLines(asWritten.headers),
    resultLine(input, url),
    ...(input.webhook === false ? [] : [signingLine(input)]),
    ...(reads.length === 0 ? [] : [environmentLine(reads)]),
  ];
}

/** The headers of the call. Variables stand in them as they are written, not their values. */
function headerLines(headers: RunInput['headers']): string[] {
  const all = Object.entries(headers);
  if (all.length === 0) return [];
  const shown = all
    .slice(0, 20)
    .map(([name, value]) => `${plainText(name, 100)}: ${plainText(maskSecrets(value), 200)}`);
  const more = all.length > shown.length ? [t('and {0} more', all.length - shown.length)] : [];
  return [t('Headers: {0}', [...shown, ...more].join(', '))];
}

/** Names the variables, and where each of them goes. */
export function environmentLine(reads: readonly PayloadVariable[]): string {
  const all = [...new Set(reads.map(({ name, place }) => `${name} (${place})`))];
  const shown = all.slice(0, 20).map((one) => plainText(one, 200));
  const more = all.length > shown.length ? [t('and {0} more', all.length - shown.length)] : [];
  return t('Environment variables it reads: {0}', [...shown, ...more].join(', '));
}

function resultLine({ webhook, deliverHere }: RunInput, { resultAddresses }: RunUrl): string {
  const addresses = resultAddresses.map(shownAddress).join(', ');
  if (addresses !== '') return t('The response is also sent to {0}.', plainText(addresses, 1000));
  if (deliverHere === true) return t('Its delivery is made here from the response.');
  return webhook === false
    ? t('The response is not delivered anywhere.')
    : t('The response is also delivered to the listener of this window.');
}

function signingLine({ signing }: RunInput): string {
  if (signing === 'unsigned') return t('It is not signed.');
  return signing === 'once'
    ? t('It is signed with a secret for this run only.')
    : t('It is signed with your webhook secret.');
}

function fileName(workspace: AskParts['workspace'], { file, document }: Call): string {
  const uri = file ?? document;
  return uri === undefined ? '' : plainText(workspace.asRelativePath(uri), 300);
}

/** Always shows the host, never a password. */
function shownAddress({ origin, pathname, search }: URL): string {
  return plainText(`${origin}${pathname}${search}`, 300);
}
