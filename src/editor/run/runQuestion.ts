import * as vscode from 'vscode';
import { isLoopback } from '../../model/service/loopback.ts';
import { t } from '../../model/text/l10n.ts';
import { plainText } from '../../model/text/plainText.ts';
import { maskSecrets } from '../../model/masking/masking.ts';
import type { PayloadVariable } from '../../model/payloads/payloadVariables.ts';
import type { RunInput } from '../../model/runs/run.ts';
import { type RunUrl, withWebhook } from '../../model/runs/runUrl.ts';
import type { AppCall } from '../projects/feature.ts';
import { DeclinedError } from '../prompts/declinedError.ts';
import type { Prompts } from '../prompts/prompts.ts';

/** A call that is about to be sent. */
export interface AskedRun {
  input: RunInput;
  /** What the user wrote. */
  written: RunUrl;
  /** What is sent. */
  url: RunUrl;
  /** A file that a repository may have brought along. */
  file?: vscode.Uri;
  /** What the call holds of the environment, by which document. */
  reads?: readonly PayloadVariable[];
  document?: vscode.Uri;
  /** How often it is sent. */
  times: number;
}

/** A run that is to be made in production. */
export interface RunCall extends Pick<AskedRun, 'input' | 'written' | 'times'> {
  /** What its body is called, where it has a name. */
  payload?: string;
}

/** What is asked before a run under production: where it goes, with what, and who is sent the result. */
export function runCall({ input, written, payload, times }: RunCall): AppCall {
  const { appName, webhook, body } = input;
  const url = typeof webhook === 'string' ? withWebhook(written, webhook) : written;
  return {
    action: times === 1 ? t('Run {0}', appName) : t('Run {0} {1} times', appName, times),
    detail: () => {
      const begins = plainText(maskSecrets((body ?? '').slice(0, 2000)), 200);
      return [
        ...callLines({ input, written, url }),
        ...(payload === undefined ? [] : [t('Payload {0}.', plainText(payload, 300))]),
        ...(begins === '' ? [] : [t('Its body: {0}', begins)]),
      ];
    },
    verb: verbOf(times),
  };
}

function verbOf(times: number): string {
  return times === 1 ? t('Run') : t('Run {0} Times', times);
}

const agreedKey = 'run.agreedFiles';
/** How many answers are kept. */
const keptAnswers = 500;

/**
 * Asks before the first run of a file at each address, and of one that reads the environment for all that it reads, and
 * whenever the result goes to another machine by what the file says, or, signed, by what the query says: somebody else
 * may have written so.
 * @throws DeclinedError where the user declined
 */
export async function askBeforeRun(prompts: Prompts, memento: vscode.Memento, run: AskedRun): Promise<void> {
  const elsewhere = namedByOthers(run).filter(({ hostname }) => !isLoopback(hostname));
  const agreed = () => memento.get<string[]>(agreedKey, []);
  // A payload of this machine that reads the environment may have been moved here.
  const isAsked = run.file !== undefined || run.reads !== undefined;
  const isNew = isAsked && !agreed().includes(answerOf(run));
  if (elsewhere.length === 0 && !isNew) return;
  const question = elsewhere.length > 0 ? elsewhereQuestion(run, elsewhere) : fileQuestion(run);
  if (!(await prompts.confirm(question, detailOf(run), verbOf(run.times)))) {
    throw new DeclinedError(t('Nothing was run.'));
  }
  if (isNew) await memento.update(agreedKey, [...agreed(), answerOf(run)].slice(-keptAnswers));
}

function elsewhereQuestion({ times }: AskedRun, addresses: readonly URL[]): string {
  const shown = addresses.map(shownAddress).join(', ');
  return times === 1
    ? t('Send the result of this run to {0}?', shown)
    : t('Send the results of {0} runs to {1}?', times, shown);
}

function fileQuestion(run: AskedRun): string {
  const { input, times } = run;
  const appName = plainText(input.appName);
  return times === 1
    ? t('Run {0} with {1}?', appName, fileName(run))
    : t('Run {0} {1} times with {2}?', appName, times, fileName(run));
}

/** The addresses of the result that the user may not have seen: neither the listener nor one that was handed over. */
function namedByOthers({ input, written, url, file }: AskedRun): readonly URL[] {
  if (file !== undefined) return input.webhook === true ? written.resultAddresses : url.resultAddresses;
  if (input.webhook === false) return [];
  return written.resultAddresses.filter(({ href }) => href !== input.webhook);
}

/** What is asked once: the file, the call without its query, and what stands where in it of the environment. */
function answerOf({ input, url, file, document, reads = [] }: AskedRun): string {
  const places = reads.map(({ name, place }) => `${name} ${place}`).sort();
  return JSON.stringify([
    (file ?? document)?.toString(),
    input.method.toUpperCase(),
    url.origin + url.pathname,
    ...(places.length > 0 ? [places] : []),
  ]);
}

function detailOf(run: AskedRun): string {
  return [...callLines(run), ...(run.file === undefined ? [] : [t('{0} says so.', fileName(run))])].join(
    '\n',
  );
}

/** The call as it is sent, and where its result goes. */
function callLines({ input, written, url, reads = [] }: Omit<AskedRun, 'times'>): string[] {
  return [
    `${plainText(input.method.toUpperCase())} ${plainText(written.href, 1000)}`,
    resultLine(input, url),
    ...(input.webhook === false ? [] : [signingLine(input)]),
    ...(reads.length === 0 ? [] : [environmentLine(reads)]),
  ];
}

/** Which variables, and where each of them goes. */
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

/** The host is always seen; a password is not. */
function shownAddress({ origin, pathname, search }: URL): string {
  return plainText(`${origin}${pathname}${search}`, 300);
}
