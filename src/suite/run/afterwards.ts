import { type Clock, delay } from '../../model/processes/clock.ts';
import { UserError } from '../../model/text/userError.ts';
import { t } from '../../model/text/l10n.ts';
import type { AfterExpectation } from '../fixture/fixtureSchema.ts';
import { type Exchange, exchange } from './exchange.ts';
import { type Miss, missesOf } from './judge.ts';

/** The app that fixtures are sent to. */
export interface SuiteApp {
  /** Of the handler; where it has no path, that of each fixture is added. */
  to: URL;
  /** Absent where deliveries go without a signature. */
  secret?: string;
  clock: Clock;
  /** Breaks it off. */
  signal: AbortSignal;
}

/** How long the app may take to show what became of a delivery where the file does not say, in milliseconds. */
export const defaultSettling = 5000;
/** How long after one question the next is asked, in milliseconds. */
const pauseMs = 50;

/**
 * Asks the app what became of a delivery until it says what is expected: it may still be at work.
 * @param answerMs how long one answer may take where the file does not say, in milliseconds
 * @returns what it said last
 * @throws the signal's reason where it is aborted
 */
export async function askAfter(
  app: SuiteApp,
  { get, within }: AfterExpectation,
  answerMs: number,
  isMet: (state: Exchange) => boolean,
): Promise<Exchange> {
  const { to, clock, signal } = app;
  const url = new URL(get, to.origin);
  // guard: a fixture names paths of the app alone
  if (url.origin !== to.origin) throw new UserError(t('"{0}" is not a path of the app.', get));
  const end = clock.now() + (within ?? defaultSettling);
  const request = { url, method: 'GET', rawHeaders: [], body: new Uint8Array() };
  for (;;) {
    const state = await exchange(request, within ?? answerMs, app);
    if (isMet(state) || clock.now() + pauseMs >= end) return state;
    await delay(clock, pauseMs, signal);
  }
}

/** What the app answers afterwards does not meet. */
export function afterMisses({ status = '2xx', bodyContains }: AfterExpectation, state: Exchange): Miss[] {
  const expect = { status, ...(bodyContains !== undefined && { bodyContains }) };
  return missesOf(expect, state);
}

/** Whether the app says the same at two times. */
export function isSameState({ answer: one }: Exchange, { answer: other }: Exchange): boolean {
  return one?.status === other?.status && one?.body === other?.body;
}
