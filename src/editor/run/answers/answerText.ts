import { brokenOffText, bytesText } from '../../../shared/text/bytesText.ts';
import { durationText, tryAgainText } from '../../../shared/text/durationText.ts';
import {
  refusalText,
  refusedStatus,
  type Run,
  type RunInput,
  isUndelivered,
  nextStep,
} from '../../../service/runs/run.ts';
import { notDeliveredSinceReload } from '../../../service/projects/projectErrors.ts';
import { sentences } from '../../../shared/text/sentences.ts';
import { t } from '../../../shared/text/l10n.ts';
import { plainText } from '../../../shared/text/plainText.ts';
import { handlerText, outcomeOf, outcomeText as deliveryText } from '../../../deliveries/outcomeText.ts';
import { isTaken } from '../../../deliveries/forwardText.ts';
import { judgedMark, judgedText, repeatsText } from '../../../deliveries/verdictText.ts';
import { pageText } from '../../../service/errorMessage.ts';
import { redirectText } from '../../../service/client/redirect.ts';
import { retryAfterMs } from '../../../service/client/retryAfter.ts';
import { bodyDecoder } from '../../../shared/http/bodyDecoder.ts';
import { responseText, sentLines, statusText } from '../../../shared/http/responseText.ts';
import { isCredentialHeader, masked } from '../../../shared/masking/likelySecrets.ts';
import { prettyJson } from '../../../shared/json/jsonText.ts';
import { appPath, serviceUrl } from '../../../service/endpoints.ts';
import type { RunUrl } from '../../../service/runs/runUrl.ts';

/** The part of an answer that is kept nowhere else, without its body. JSON. */
export interface AnswerRecord {
  /** The address of the call, without the webhook address. */
  url: string;
  /** Where the result is sent, besides the answer. */
  results: readonly string[];
  head?: { status: number; headers: Record<string, string>; afterMs: number };
  /** Whether the sandbox ran it. The sandbox reports what became of its webhook. */
  isSandbox: boolean;
  /** Whether it was sent to addresses that its project has of its own. */
  isOwnService?: boolean;
}

/** An answer's body, as far as it has arrived or is kept. */
export interface KeptBody {
  /** At least as much as is shown. */
  beginning: Uint8Array;
  /** How many bytes have arrived. */
  bytes: number;
  /** How many of these bytes are on the disk, and the path of the file that holds them. */
  kept: number;
  file?: string;
  /** Why the body is not kept as it should be. */
  problem?: string;
  /** Whether more may arrive. */
  isComing?: boolean;
}

/** A kept answer. Together with its run it is the whole document. */
export interface KeptAnswer extends AnswerRecord {
  body?: KeptBody;
}

/** What is shown of a body: complete JSON is laid out, a binary body has only a note. */
interface ShownBody {
  text: string;
  bytes: number;
  note?: string;
}

/** An answer as its document shows it. */
export interface ShownAnswer extends AnswerRecord {
  body?: ShownBody;
  /** The file that has more of the body than is shown. */
  file?: string;
}

/** A run, and its answer so far. */
export interface AnswerState extends ShownAnswer {
  run: Run;
  waitingFor: 'answer' | 'delivery' | 'nothing';
  /** How long the run has been waiting for it, in milliseconds. */
  elapsedMs: number;
  /** What keeps deliveries from arriving at the moment: `the relay is not available`. */
  away?: string | undefined;
  /** Whether something has kept them from arriving since the run began. */
  wasAway?: boolean;
}

/** How much of a body is shown, in bytes. */
export const shownBytes = 2 * 1024 * 1024;
/** How long a delivery may take before hints on what to check are shown, in milliseconds. */
const hintAfterMs = 60_000;

/** The document of an answer: how it went, the body, the headers, the call. */
export function runAnswerText(state: AnswerState): string {
  const { run, url, results, head, body, away, wasAway = false } = state;
  const { method, headers, body: sent } = run.input;
  const page = pageInstead(state);
  const redirect = redirectOfRun(state);
  return responseText({
    outcome: [outcomeText(state, page !== undefined), ...deliveredText(state)].join(' · '),
    notes: [
      ...(isPageInstead(state)
        ? [
            sentences(
              t('This is a web page that names no run.'),
              t('A proxy may be asking you to sign in, or the address is not that of the service.'),
            ),
          ]
        : []),
      ...(redirect === undefined ? [] : [redirect]),
      ...errorLines(state),
      ...waitLines(state),
      ...deliveryLines(state),
      ...(isLate(state) && page === undefined && away === undefined && !wasAway ? hints(run) : []),
      ...(body?.note === undefined || isGrowing(state) ? [] : [body.note]),
    ],
    body: page ?? body?.text ?? '',
    html: page && body?.text,
    headers: head && Object.entries(head.headers),
    request: [
      `${method} ${url}`,
      ...results.map((address) => `→ ${address}`),
      ...(run.runId === undefined ? [] : [t('Run id {0}', run.runId)]),
      ...Object.entries(headers).map(
        ([name, value]) => `${name}: ${isCredentialHeader(name) ? masked : value}`,
      ),
      ...(sent === undefined ? [] : sentLines(sent)),
    ],
  });
}

/** Whether more of a body arrives than is shown. Only the link shows its progress: the text does not change. */
export function isGrowing({ waitingFor, body }: AnswerState): boolean {
  return waitingFor === 'answer' && body !== undefined && body.bytes > shownBytes;
}

/** Whether a delivery has been waited for so long that it may not come. */
export function isLate({ waitingFor, elapsedMs }: AnswerState): boolean {
  return waitingFor === 'delivery' && elapsedMs >= hintAfterMs;
}

function hints({ listenerPort }: Run): string[] {
  const ofPublicUrl = t(
    'Can the address of the webhook be reached from outside? Run "Runhook: Check Public URL" to find out.',
  );
  return [
    // A service that delivers on this machine needs no public URL.
    ...(listenerPort === undefined ? [ofPublicUrl] : []),
    t('Is the app still running? The delivery is sent once it has responded.'),
    t('Did a delivery arrive that does not name this run? Look in the Deliveries view.'),
    t('The service tries 3 times and then only logs the failure: run again once the address responds.'),
  ].map((hint) => `- ${hint}`);
}

/** @param isPage whether the body is a page in place of a response */
function outcomeText(state: AnswerState, isPage: boolean): string {
  const { head, body, run } = state;
  const { outcome } = run;
  // The size of what still arrives is in the link: a first line that changes would unfold what is below the body.
  const size = body === undefined || outcome.kind === 'running' ? [] : [bytesText(body.bytes)];
  const details = [...(head ? [statusOf(run, head.status, isPage)] : []), ...size].join(' · ');
  const status = details === '' ? '' : `${details} · `;
  switch (outcome.kind) {
    case 'running':
      return head
        ? t('{0}headers after {1}, receiving the body', status, durationText(head.afterMs))
        : t('Waiting for the response');
    case 'answered':
      return `${status}${durationText(outcome.durationMs)}`;
    case 'failed': {
      const reason = plainText(outcome.reason, 300);
      const failed = t('Failed after {0}: {1}', durationText(outcome.durationMs), reason);
      // First, as the next one: what has arrived was no success.
      return [`✗ ${failed}`, ...(details === '' ? [] : [details])].join(' · ');
    }
    case 'cancelled':
      return t('{0}cancelled after {1}', status, durationText(outcome.durationMs));
    case 'interrupted':
      // First, since the line is long and may be cut.
      return [`⚠ ${t('Interrupted by a reload')}`, ...(details === '' ? [] : [details])].join(' · ');
  }
}

/** A status, and whose it is if it is an error. A 5xx or a page that names no run may be of any. */
function statusOf(run: Run, status: number, isPage: boolean): string {
  const text = statusText(status);
  if (status < 400) return text;
  if (namesRun(run)) return t('{0} from the app', text);
  return isPage || refusedStatus(run) === undefined ? text : t('{0} from the service', text);
}

/** The text of a page that came in place of the response. One that names no run may be that of a proxy: an app's is shown. */
function pageInstead({ run, head, body, waitingFor }: AnswerState): string | undefined {
  const isInstead = head !== undefined && (head.status >= 400 || run.runId === undefined);
  return isInstead && waitingFor !== 'answer' ? pageText(body?.text ?? '') : undefined;
}

/** Whether the address may not be that of the service: a page came, and not as an error. */
export function isPageInstead(state: AnswerState): boolean {
  return pageInstead(state) !== undefined && Number(state.head?.status) < 400;
}

/** Where the call of a run was to go instead. A response that names the run is of the app: its redirects are its own. */
export function redirectOfRun({ head, run, url }: AnswerState): string | undefined {
  const asked = URL.parse(url);
  if (head === undefined || run.runId !== undefined || asked === null) return undefined;
  return redirectText(asked, head.status, head.headers['location']);
}

/** What to do about an error, or that the response does not say whose it is. */
function errorLines({ run, results }: AnswerState): string[] {
  const { outcome } = run;
  const refused = refusedStatus(run);
  // Where it was to be delivered, it is said why it is not.
  if (refused !== undefined && results.length === 0) return [nextStep(refused) ?? []].flat();
  if (outcome.kind !== 'answered' || outcome.status < 500 || namesRun(run)) return [];
  return [
    t('The app failed, or a proxy did not reach it: without a run id, the response does not say which.'),
  ];
}

function namesRun({ runId, delivery }: Run): boolean {
  return runId !== undefined || delivery !== undefined;
}

/** When the service says that an error may pass: as a time, which stays true while the document is open. */
function waitLines({ head, run }: AnswerState): string[] {
  if (head === undefined || head.status < 400) return [];
  const answeredAt = run.startedAt + head.afterMs;
  const waitMs = retryAfterMs(head.headers['retry-after'], answeredAt);
  return waitMs ? [tryAgainText(answeredAt + waitMs, answeredAt)] : [];
}

/** What came of the delivery: its verdict, and the response of the handler, or that none came. */
function deliveredText({ run, results, waitingFor }: AnswerState): string[] {
  const { delivery } = run;
  if (delivery === undefined) {
    const isOver = results.length > 0 && waitingFor === 'nothing' && isUndelivered(run);
    return isOver ? [`⚠ ${t('not delivered')}`] : [];
  }
  const { repeats, forward } = delivery;
  const outcome = outcomeOf(delivery);
  const ofHandler =
    outcome === 'waiting'
      ? deliveryText(delivery)
      : outcome === 'setByUser'
        ? `⚠ ${deliveryText(delivery)}`
        : forward && `${isTaken(forward) ? '✓' : '⚠'} ${handlerText(forward)}`;
  return [
    `${judgedMark(delivery)} ${judgedText(delivery)}`,
    ...(repeats === 0 ? [] : [repeatsText(repeats)]),
    ...(ofHandler === undefined ? [] : [ofHandler]),
  ];
}

/** Undefined unless the run was answered with a 5xx, after which no delivery is waited for. */
function failedText({ outcome }: Run): string | undefined {
  if (outcome.kind !== 'answered' || outcome.status < 500) return undefined;
  return t(
    'Not delivered: the run failed ({0}), so Runhook no longer waits. A late delivery is shown in the Deliveries view.',
    outcome.status,
  );
}

/** Undefined as long as a delivery may have arrived that cannot be told from others: the run id is to come. */
function soFarText({ run, results, isSandbox, away, wasAway = false }: AnswerState): string | undefined {
  const { brokenOff, awaited, input, notDelivered, outcome, runId } = run;
  if (notDelivered !== undefined) return notDelivered;
  if (typeof input.webhook === 'string' && brokenOff === undefined && outcome.kind === 'answered')
    return t('The service sends it to {0}.', results.map((address) => plainText(address, 300)).join(', '));
  if (isSandbox && outcome.kind === 'interrupted') return notDeliveredSinceReload(runId);
  if (runId === undefined && brokenOff === undefined) {
    if (outcome.kind === 'running') return undefined;
    if (hasNoAnswer(outcome)) return unknownRunText();
  }
  const isComing = awaited === true || outcome.kind === 'running' || hasNoAnswer(outcome);
  if (isComing && away !== undefined) return t('Not delivered yet: {0}', away);
  if (isComing && wasAway && brokenOff === undefined)
    return t('Not delivered yet: the service could not reach this machine for a while');
  if (brokenOff === undefined) return isComing ? t('Not delivered yet') : t('Not delivered');
  return t('Not delivered yet: {0}', brokenOffText(brokenOff.bytes, brokenOff.announced));
}

/** Of a run whose id no response has told. */
export function unknownRunText(): string {
  return t('Its run id is not known: if it is delivered, only the Deliveries view shows it.');
}

/** Whether the app may have run, and its response did not come, or not all of it. */
function hasNoAnswer(outcome: Run['outcome']): boolean {
  return (
    outcome.kind === 'cancelled' ||
    outcome.kind === 'interrupted' ||
    (outcome.kind === 'failed' && outcome.wasSent === true)
  );
}

function deliveryLines(state: AnswerState): string[] {
  const { run, results } = state;
  if (results.length === 0 || run.delivery !== undefined) return [];
  const said = refusalText(run) ?? failedText(run) ?? soFarText(state);
  return said === undefined ? [] : [said];
}

export function shownAnswer({ body, ...record }: KeptAnswer): ShownAnswer {
  if (body === undefined) return record;
  const shown = shownBody(body, record.head?.headers['content-type']);
  const isAll = shown.note === undefined || body.file === undefined;
  return { ...record, body: shown, ...(!isAll && { file: body.file }) };
}

/** @param contentType the header */
function shownBody(body: KeptBody, contentType = ''): ShownBody {
  const { beginning, bytes } = body;
  const isText = !isBinary(contentType, beginning);
  const text = isText ? textOf(body, contentType) : '';
  const notes = [placeOf(body, isText), problemOf(body)].filter((one) => one !== undefined);
  return { text, bytes, ...(notes.length > 0 && { note: notes.join('\n') }) };
}

function textOf({ beginning, bytes, isComing = false }: KeptBody, contentType: string): string {
  const isAll = bytes <= shownBytes && !isComing;
  // A character that is cut in two at the end is left out if more follows.
  const text = bodyDecoder(contentType).decode(beginning.subarray(0, shownBytes), { stream: !isAll });
  return (isAll ? prettyJson(text) : undefined) ?? text;
}

/** Says where the rest of a body is. Not while it arrives, since the sizes change with every piece. */
function placeOf({ bytes, kept, file, isComing }: KeptBody, isText: boolean): string | undefined {
  if (isComing === true || (isText && bytes <= shownBytes && kept === bytes)) {
    return isText ? undefined : t('Binary');
  }
  if (file === undefined) return isText ? undefined : t('Binary, {0}', bytesText(bytes));
  if (kept < bytes) {
    return t('The body is {0}. The first {1} are kept in {2}', bytesText(bytes), bytesText(kept), file);
  }
  return isText
    ? t('Only the beginning is shown. The whole body is in {0}', file)
    : t('Binary, {0}, saved to {1}', bytesText(bytes), file);
}

function problemOf({ problem }: KeptBody): string | undefined {
  return problem === undefined ? undefined : t('This response could not be stored on disk: {0}', problem);
}

/** How many of the first bytes decide whether a body is text, if no header does. */
const tellingBytes = 4096;

const textTypes = /^text\/|[/+](json|xml|yaml|x-yaml|javascript|x-ndjson|x-www-form-urlencoded|graphql)\b/i;
const binaryTypes = /^(image|audio|video|font)\/|^application\/(octet-stream|pdf|zip|gzip|x-tar|wasm)\b/i;

const endings: Record<string, string> = {
  'application/gzip': 'gz',
  'application/json': 'json',
  'application/pdf': 'pdf',
  'application/zip': 'zip',
  'audio/mpeg': 'mp3',
  'audio/wav': 'wav',
  'image/gif': 'gif',
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'image/webp': 'webp',
  'text/csv': 'csv',
  'text/html': 'txt',
  'text/plain': 'txt',
  'video/mp4': 'mp4',
};

/**
 * Decides by the header if it is clear, else by the first bytes: binary if there is a zero byte or invalid UTF-8.
 * @param beginning the first bytes of the body
 */
export function isBinary(contentType: string, beginning: Uint8Array): boolean {
  if (textTypes.test(contentType)) return false;
  if (binaryTypes.test(contentType) && !/^image\/svg/i.test(contentType)) return true;
  const telling = beginning.subarray(0, tellingBytes);
  if (telling.includes(0)) return true;
  try {
    // `stream` accepts a last character that is cut in two.
    new TextDecoder('utf-8', { fatal: true }).decode(telling, { stream: true });
    return false;
  } catch {
    return true;
  }
}

/** The file extension for a body of that type. Never taken from a name that the app gives: that is not trusted. */
export function endingOf(contentType: string): string {
  const [type = ''] = contentType.toLowerCase().split(';');
  const known = endings[type.trim()];
  if (known !== undefined || !textTypes.test(type)) return known ?? 'bin';
  return /[/+]json\b/.test(type) ? 'json' : 'txt';
}

/** A call, without the webhook address and with it. */
interface AddressedCall {
  written: RunUrl;
  url: RunUrl;
  proxyUrl: string;
  /** The call as written in its payload, if the values of its variables must not be kept. */
  kept?: RunInput | undefined;
}

/** The addresses of a call as its answer shows and keeps them: as written, and where the result goes. */
export function toldAddresses(call: AddressedCall): Pick<AnswerRecord, 'url' | 'results'> {
  const { written, url, proxyUrl, kept } = call;
  const results = url.resultAddresses.map(({ href }) => href);
  if (kept === undefined) return { url: written.href, results };
  const targets = typeof kept.webhook === 'string' ? [plainText(kept.webhook, 1000)] : results;
  // A result address in the query is already part of the URL as written.
  return { url: asWritten(proxyUrl, kept), results: written.resultAddresses.length > 0 ? [] : targets };
}

/** The URL as written in the payload, for people to read. */
function asWritten(proxyUrl: string, { projectId, appName, path, query = {} }: RunInput): string {
  const parameters = Object.entries(query).flatMap(([name, values]) =>
    [values].flat().map((one) => `${name}=${String(one)}`),
  );
  const separator = parameters.length === 0 ? '' : path.includes('?') ? '&' : '?';
  const { href } = serviceUrl(proxyUrl, appPath(projectId, appName));
  return plainText(`${href}${path.replace(/^\//, '')}${separator}${parameters.join('&')}`, 1000);
}
