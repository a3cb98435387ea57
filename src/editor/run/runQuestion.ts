import * as vscode from 'vscode';
import { isLoopback } from '../../model/service/loopback.ts';
import { t } from '../../model/text/l10n.ts';
import { UserError } from '../../model/text/userError.ts';
import { plainText } from '../../model/text/plainText.ts';
import { maskSecrets } from '../../model/masking/masking.ts';
import { type PayloadVariable, readPayload } from './payloads/payload.ts';
import type { RunInput } from '../../model/runs/run.ts';
import { agreementOf, type ShownCall } from './runAgreement.ts';
import { type RunUrl, runUrl, withWebhook } from '../../model/runs/runUrl.ts';
import type { AppRef } from '../../model/projects/project.ts';
import type { AppCall, Projects } from '../projects/feature.ts';
import { DeclinedError } from '../prompts/declinedError.ts';
import type { Prompts } from '../prompts/prompts.ts';

/** A call that is about to be sent. */
export interface AskedRun {
  input: RunInput;
  /** The call as its file writes it, with variables in place of their values; absent if it is the same. */
  asWritten?: RunInput;
  /** The URL as the user wrote it. */
  written: RunUrl;
  /** The URL as it is sent. */
  url: RunUrl;
  /** The file of the call, if it may come from a repository. */
  file?: vscode.Uri;
  /** Whether the file does not say where its result goes, so that the user chose it. */
  isWayChosen?: boolean;
  /** The environment variables that the call contains, and the document that reads them. */
  reads?: readonly PayloadVariable[];
  document?: vscode.Uri;
}

/** A run that is to be made in production. */
export interface RunCall extends Pick<AskedRun, 'input' | 'written'> {
  /** The name of the payload, if it has one. */
  payload?: string;
}

/** The question before a run in production: where the call goes, what it sends, and who gets the result. */
export function runCall({ input, written, payload }: RunCall): AppCall {
  const { appName, webhook, body } = input;
  const url = typeof webhook === 'string' ? withWebhook(written, webhook) : written;
  return {
    action: t('Run {0}', appName),
    detail: () => {
      const excerpt = plainText(maskSecrets((body ?? '').slice(0, 2000)), 200);
      return [
        ...callLines({ input, written, url }),
        ...(payload === undefined ? [] : [t('Payload {0}.', plainText(payload, 300))]),
        ...(excerpt === '' ? [] : [t('Its body: {0}', excerpt)]),
      ];
    },
    verb: t('Run'),
  };
}

const agreedKey = 'run.agreedFiles';
const createdKey = 'run.createdPayloads';
/** How many agreements of each kind are kept. */
const maxAgreements = 500;

/**
 * Asks before the first run of a file, and of any call that reads the environment, and again where any part of the
 * call but its body is another. Always asks if the result goes to another machine because the file
 * says so, or, with a webhook, because the query says so: somebody else may have written that.
 * @throws DeclinedError if the user declines
 */
export async function askBeforeRun(prompts: Prompts, memento: vscode.Memento, run: AskedRun): Promise<void> {
  const elsewhere = unseenAddresses(run).filter(({ hostname }) => !isLoopback(hostname));
  const agreed = () => memento.get<string[]>(agreedKey, []);
  // A payload of this machine that reads the environment may have come from elsewhere.
  const isAsked = run.file !== undefined || run.reads !== undefined;
  const agreement = agreementOf(shownCall(run));
  const isNew = isAsked && !agreed().includes(agreement) && !isAsCreated(memento, run);
  if (elsewhere.length === 0 && !isNew) return;
  const question = elsewhere.length > 0 ? elsewhereQuestion(elsewhere) : fileQuestion(run);
  if (!(await prompts.confirm(question, detailOf(run), t('Run')))) {
    throw new DeclinedError(t('Nothing was run.'));
  }
  if (isNew) await memento.update(agreedKey, [...agreed(), agreement].slice(-maxAgreements));
}

/**
 * Agrees for the user to the call of an empty payload that Runhook has created in a trusted workspace, whichever way
 * the user chooses to run it. Any other call of that file is asked for.
 */
export async function agreeToEmpty(
  projects: Pick<Projects, 'service'>,
  memento: vscode.Memento,
  { uri, projectId, appName }: AppRef & { uri: vscode.Uri },
): Promise<void> {
  if (!vscode.workspace.isTrusted) return;
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
  const others = memento.get<string[]>(createdKey, []).filter((one) => one !== agreement);
  await memento.update(createdKey, [...others, agreement].slice(-maxAgreements));
}

// guard S53: A payload that Runhook created runs without a question only while its call is that of an empty one.
function isAsCreated(memento: vscode.Memento, run: AskedRun): boolean {
  return run.isWayChosen === true && memento.get<string[]>(createdKey, []).includes(asCreated(run));
}

/** The agreement of a run, without the way that the user chose. */
function asCreated(run: AskedRun): string {
  const call = shownCall(run);
  const { signing: _chosen, ...written } = call.written;
  return agreementOf({ ...call, written: { ...written, webhook: false } });
}

function elsewhereQuestion(addresses: readonly URL[]): string {
  const shown = addresses.map(shownAddress).join(', ');
  return t('Send the result of this run to {0}?', shown);
}

function fileQuestion(run: AskedRun): string {
  return t('Run {0} with {1}?', plainText(run.input.appName), fileName(run));
}

/** The result addresses that the user may not have seen: neither the listener nor one the caller passed. */
function unseenAddresses({ input, written, url, file }: AskedRun): readonly URL[] {
  if (file !== undefined) return input.webhook === true ? written.resultAddresses : url.resultAddresses;
  if (input.webhook === false) return [];
  return written.resultAddresses.filter(({ href }) => href !== input.webhook);
}

/** What the user agrees to: the call as it is written. */
function shownCall({ input, asWritten = input, url, file, document, reads = [] }: AskedRun): ShownCall {
  return { source: (file ?? document)?.toString(), origin: url.origin, written: asWritten, reads };
}

function detailOf(run: AskedRun): string {
  const ofFile =
    run.file === undefined
      ? []
      : [
          t('{0} says so.', fileName(run)),
          ...(run.input.body === undefined
            ? []
            : [t('Where only the body of the call is another, you are not asked again.')]),
        ];
  return [...callLines(run), ...ofFile].join('\n');
}

/** The call as it is sent, and where its result goes. */
function callLines({ input, asWritten = input, written, url, reads = [] }: AskedRun): string[] {
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
  return [t('Its headers: {0}', [...shown, ...more].join(', '))];
}

/** Names the variables, and where each of them goes. */
export function environmentLine(reads: readonly PayloadVariable[]): string {
  const all = [...new Set(reads.map(({ name, place }) => `${name} (${place})`))];
  const shown = all.slice(0, 20).map((one) => plainText(one, 200));
  const more = all.length > shown.length ? [t('and {0} more', all.length - shown.length)] : [];
  return t('It reads these variables of your environment: {0}', [...shown, ...more].join(', '));
}

function resultLine({ webhook }: RunInput, { resultAddresses }: RunUrl): string {
  const addresses = resultAddresses.map(shownAddress).join(', ');
  if (addresses !== '') return t('The result is also sent to {0}.', plainText(addresses, 1000));
  return webhook === false
    ? t('The result is not delivered anywhere.')
    : t('The result is also delivered to the listener of this window.');
}

function signingLine({ signing }: RunInput): string {
  if (signing === 'unsigned') return t('It is not signed.');
  return signing === 'once'
    ? t('It is signed with a secret of this run alone.')
    : t('It is signed with your webhook secret.');
}

function fileName({ file, document }: AskedRun): string {
  const uri = file ?? document;
  return uri === undefined ? '' : plainText(vscode.workspace.asRelativePath(uri), 300);
}

/** Always shows the host, never a password. */
function shownAddress({ origin, pathname, search }: URL): string {
  return plainText(`${origin}${pathname}${search}`, 300);
}
