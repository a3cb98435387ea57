import { type Clock, delay } from '../../shared/async/clock.ts';
import { UserError } from '../../shared/text/userError.ts';
import { t } from '../../shared/text/l10n.ts';
import type { AfterExpectation } from '../fixture/fixtureSchema.ts';
import { type Exchange, exchange } from './exchange.ts';
import { type Miss, missesOf } from './judge.ts';

/** The app that fixtures are sent to. */
export interface SuiteApp {
  /** The address of the handler; if it has no path, the path of each fixture is added. */
  to: URL;
  /** Absent if deliveries are sent without a signature. */
  secret?: string;
  clock: Clock;
  /** Aborts the run. */
  signal: AbortSignal;
  /** Whether any certificate of the app counts where the connection stays on this machine. */
  acceptLocalCertificates?: boolean;
}

/** How long the app may take to show the effect of a delivery, in milliseconds, if the file does not say. */
export const defaultSettling = 5000;
/** The pause between two requests, in milliseconds. */
const pauseMs = 50;

/**
 * Polls the app for the effect of a delivery until it is as expected, since the app may still be at work.
 * @param answerMs how long one answer may take if the file does not say, in milliseconds
 * @returns the last answer
 * @throws the signal's reason if it is aborted
 */
export async function askAfter(
  app: SuiteApp,
  { get, within }: AfterExpectation,
  answerMs: number,
  isMet: (state: Exchange) => boolean,
): Promise<Exchange> {
  const { to, clock, signal } = app;
  const url = new URL(get, to.origin);
  // guard S67: A fixture names only paths of the app.
  if (url.origin !== to.origin) throw new UserError(t('"{0}" is not a path of your handler.', get));
  const end = clock.now() + (within ?? defaultSettling);
  const request = { url, method: 'GET', rawHeaders: [], body: new Uint8Array() };
  for (;;) {
    const state = await exchange(request, within ?? answerMs, app);
    if (isMet(state) || clock.now() + pauseMs >= end) return state;
    await delay(clock, pauseMs, signal);
  }
}

/** The expectations that the app's answer afterwards does not meet. */
export function afterMisses({ status = '2xx', bodyContains }: AfterExpectation, state: Exchange): Miss[] {
  const expect = { status, bodyContains };
  return missesOf(expect, state);
}

/** Whether two answers of the app show the same state. */
export function isSameState({ answer: one }: Exchange, { answer: other }: Exchange): boolean {
  return one?.status === other?.status && one?.body === other?.body;
}
