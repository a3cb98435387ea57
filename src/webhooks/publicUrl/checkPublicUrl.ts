import { failureReason } from '../../model/service/failureReason.ts';
import type { ReceivedProbe } from '../../model/processes/listenerProtocol.ts';
import type { Hop, PublicUrlCheck } from '../../model/service/publicUrlCheck.ts';
import { t } from '../../model/text/l10n.ts';
import { comparedHops } from './comparedHops.ts';
import { makeProbe, type Probe } from './probe.ts';

/** A clock that is off by more than this, in seconds, is named; less is the way there and whole seconds. */
const clockSlackSeconds = 5;

/** Sends one request, once; any status is an answer. */
type SendProbe = (
  request: Omit<Probe, 'nonce'> & { method: 'POST'; url: URL; timeoutMs: number; signal?: AbortSignal },
) => Promise<ProbeAnswer>;

interface ProbeAnswer {
  status: number;
  /** Names in lower case. */
  headers: Record<string, string>;
  body: AsyncIterable<Uint8Array>;
}

export interface PublicUrlCheckParts {
  transport: SendProbe;
  /** Tells the listener to look out for a probe. */
  expect: (nonce: string) => Promise<void>;
  /** What arrived at the listener; undefined where nothing did. */
  collect: (nonce: string) => Promise<ReceivedProbe | undefined>;
  secret: string;
  nonce: string;
  /** Unix milliseconds. */
  now: () => number;
  timeoutMs: number;
  /** Cancels it: it rejects with the reason. */
  signal?: AbortSignal;
}

/** Sends a signed probe to the public address and tells, station by station, how it fared. */
export async function checkPublicUrl(publicUrl: URL, parts: PublicUrlCheckParts): Promise<PublicUrlCheck> {
  const hops = await findHops(publicUrl, parts);
  return { ok: hops.every(({ ok }) => ok), hops };
}

async function findHops(url: URL, parts: PublicUrlCheckParts): Promise<Hop[]> {
  const { transport, expect, collect, secret, nonce, now, timeoutMs, signal } = parts;
  const probe = makeProbe(nonce, secret, now());
  await expect(nonce);
  const sentAt = now();
  let answer: ProbeAnswer;
  try {
    const { headers, body } = probe;
    answer = await transport({ method: 'POST', url, headers, body, timeoutMs, ...(signal && { signal }) });
  } catch (error) {
    await collect(nonce);
    signal?.throwIfAborted();
    return unreached(url, error);
  }
  const middle = (sentAt + now()) / 2;
  // Nothing of the body is needed; leaving it frees the connection.
  await answer.body[Symbol.asyncIterator]().return?.();
  const received = await collect(nonce);
  const reached: Hop[] = [
    { hop: 'address', ok: true, detail: t('{0} is found.', url.hostname) },
    { hop: 'connection', ok: true, detail: t('{0} answers.', url.host) },
  ];
  if (received === undefined) {
    return [...reached, { hop: 'listener', ok: false, detail: anotherProgram(url, answer) }];
  }
  return [
    ...reached,
    { hop: 'listener', ok: true, detail: t('The probe reached the listener.') },
    ...comparedHops(url, probe, received),
    clockHop(answer.headers['date'], middle),
  ];
}

const nameNotFound = new Set(['ENOTFOUND', 'EAI_AGAIN', 'ENODATA']);

function unreached(url: URL, error: unknown): Hop[] {
  if (nameNotFound.has(codeOf(error) ?? '')) {
    const detail = t('The address does not resolve: {0} is not found. Is the tunnel open?', url.hostname);
    return [{ hop: 'address', ok: false, detail }];
  }
  const reason = failureReason(error);
  if (reason === undefined) throw error;
  return [
    { hop: 'address', ok: true, detail: t('{0} is found.', url.hostname) },
    { hop: 'connection', ok: false, detail: t('Nothing answers: {0}', reason) },
  ];
}

/** The code of the innermost cause that has one. */
function codeOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const own = 'code' in error && typeof error.code === 'string' ? error.code : undefined;
  return codeOf(error.cause) ?? own;
}

function anotherProgram(url: URL, { status, headers }: ProbeAnswer): string {
  const { location, server } = headers;
  if (status >= 300 && status < 400 && location !== undefined) {
    return t('{0} redirects to {1}, and a webhook is not sent on from there.', url.host, plain(location));
  }
  return server === undefined
    ? t('Another program answers at {0}, with {1}.', url.host, status)
    : t('Another program answers at {0}, with {1} ({2}).', url.host, status, plain(server));
}

/** What a stranger said, as a word in a sentence. */
function plain(text: string): string {
  return text.replace(/[^\x20-\x7e]/g, '').slice(0, 80);
}

/** @param middle when the answer was made, by this machine's clock, in Unix milliseconds */
function clockHop(date: string | undefined, middle: number): Hop {
  const theirs = date === undefined ? NaN : Date.parse(date);
  if (Number.isNaN(theirs)) {
    return { hop: 'clock', ok: true, detail: t('The answer tells no time to compare the clock with.') };
  }
  const seconds = Math.round((middle - theirs) / 1000);
  const off = Math.abs(seconds);
  if (off <= clockSlackSeconds)
    return { hop: 'clock', ok: true, detail: t('The clock of this machine is right.') };
  const detail =
    seconds > 0
      ? t('The clock of this machine is {0} seconds ahead.', off)
      : t('The clock of this machine is {0} seconds behind.', off);
  return { hop: 'clock', ok: false, detail };
}
