import type { JsonPath } from '../../shared/json/jsonCursor.ts';
import { delay } from '../../shared/async/clock.ts';
import { shortMissingAnswerText } from '../../deliveries/forwardText.ts';
import { forwardUrl } from '../../deliveries/routes/routes.ts';
import { t } from '../../shared/text/l10n.ts';
import { sentences } from '../../shared/text/sentences.ts';
import type { TextPlace } from '../../shared/text/textPlace.ts';
import { UserError } from '../../shared/text/userError.ts';
import type { Fixture } from '../fixture/fixture.ts';
import type { AfterExpectation, Expectation, VariantName } from '../fixture/fixtureSchema.ts';
import { type SuiteApp, afterMisses, askAfter, defaultSettling, isSameState } from './afterwards.ts';
import { type Exchange, exchange } from './exchange.ts';
import { type Miss, causeAfterwards, comparedText, likelyCause, missesOf, shownText } from './judge.ts';
import { type Variant, needsSecret } from './variant.ts';
import { endToEndHeaders, headerPairs } from '../../shared/http/endToEndHeaders.ts';
import { resign } from '../../deliveries/replay.ts';
import {
  signatureName,
  signedName,
  spoilByte,
  spoilDigit,
  staleSeconds,
} from '../../service/signature/signature.ts';
import { leftOut } from '../fixture/savedFixture.ts';

/** How long an answer may take if the file does not say, in milliseconds. */
const defaultWithin = 10_000;
/** How long the state of an app has to stay unchanged for a delivery to count as without effect, in milliseconds. */
const quietMs = 500;

/** An expectation that was not met. */
export interface UnmetExpectation {
  /** In sentences. */
  message: string;
  /** What the handler probably does wrong. */
  cause?: string;
  /** The same as two texts, for a comparison. */
  expected: string;
  actual: string;
  /** Where in the file the expectation is. */
  place: TextPlace;
}

export interface VariantResult {
  outcome: 'passed' | 'failed';
  durationMs: number;
  failures: UnmetExpectation[];
  /** What was sent, and what the app answered, in order. */
  exchanges: Exchange[];
}

/**
 * Sends a fixture to an app as one of its variants, and reports which expectations were not met.
 * @param requestId used if the fixture has none of its own: the same for all its variants in a run
 * @throws UserError if the variant needs a signature and there is no secret; the signal's reason if it is aborted
 */
export async function runVariant(
  fixture: Fixture,
  variant: Variant,
  requestId: string,
  app: SuiteApp,
): Promise<VariantResult> {
  if (needsSecret(variant) && app.secret === undefined) {
    throw new UserError(t('"{0}" needs the secret that signs the delivery.', variant.name), {
      remedies: [{ kind: 'setWebhookSecret' }],
    });
  }
  const run = new VariantRun(fixture, variant, app);
  const started = performance.now();
  await run.send(
    deliveriesOf(fixture, variant.kind, { secret: app.secret, requestId, now: app.clock.now() }),
  );
  const durationMs = Math.round(performance.now() - started);
  const { failures, exchanges } = run;
  return { outcome: failures.length === 0 ? 'passed' : 'failed', durationMs, failures, exchanges };
}

class VariantRun {
  readonly failures: UnmetExpectation[] = [];
  readonly exchanges: Exchange[] = [];
  readonly #fixture: Fixture;
  readonly #variant: Variant;
  readonly #app: SuiteApp;

  constructor(fixture: Fixture, variant: Variant, app: SuiteApp) {
    this.#fixture = fixture;
    this.#variant = variant;
    this.#app = app;
  }

  async send(deliveries: SentDelivery[]): Promise<void> {
    const { kind, expect, first, rule } = this.#variant;
    const { after } = expect;
    if (kind === 'concurrent') {
      await this.#sendAtOnce(deliveries);
      return;
    }
    const last = deliveries.at(-1);
    if (last === undefined) return;
    /** The state of the app before the last delivery, which is the one that is tested. */
    let before: Exchange | undefined;
    if ((rule === 'refused' || rule === 'same') && after !== undefined)
      before = await this.#ask(after, () => true);
    for (const earlier of deliveries.slice(0, -1)) {
      if (!(await this.#deliver(earlier, first, true))) return;
      if (rule !== 'same' || after === undefined || before === undefined) continue;
      const start = before;
      before = await this.#ask(after, fits(after));
      // An app that forgets takes the first of the two as one more: it has the id from earlier variants.
      if (!this.#judgeAfter(after, before, isSameState(start, before))) return;
    }
    const isMet = await this.#deliver(last, expect, false);
    if (after === undefined || !isMet) return;
    const isUnchanged = (state: Exchange): boolean => before === undefined || isSameState(before, state);
    const met =
      rule === 'refused' ? isUnchanged : (state: Exchange) => fits(after)(state) && isUnchanged(state);
    let state = await this.#ask(after, met);
    if (before !== undefined && met(state)) {
      // The app may still be working on a delivery it has answered, and its state must not change by that.
      state = await this.#askLater(after);
    }
    if (rule !== 'refused' && !this.#judgeAfter(after, state)) return;
    if (before !== undefined && !isUnchanged(state)) this.#tellChanged(after, before, state);
  }

  /**
   * Sends one delivery alone, if there is an `after` to compare with, and then another one twice at once. An app that
   * looks up the request id before it remembers it processes both, which a repeat that follows does not show.
   */
  async #sendAtOnce([alone, pair]: SentDelivery[]): Promise<void> {
    const { expect, first, rule } = this.#variant;
    const { after } = expect;
    if (alone === undefined || pair === undefined) return;
    const twice = async (): Promise<boolean> =>
      (await Promise.all([pair, pair].map((one) => this.#deliver(one, expect, false)))).every(Boolean);
    if (after === undefined || rule !== 'once') {
      const isMet = await twice();
      if (after !== undefined && isMet) this.#judgeAfter(after, await this.#ask(after, fits(after)));
      return;
    }
    const start = await this.#settled(after);
    if (!(await this.#deliver(alone, first, true))) return;
    const before = await this.#ask(after, (state) => !isSameState(start, state));
    if (!this.#judgeAfter(after, before, true) || !(await twice())) return;
    await this.#ask(after, (state) => !isSameState(before, state));
    // One of the two may still be at work.
    const state = await this.#askLater(after);
    if (isTwiceTheChange(start, before, state)) this.#tellChanged(after, before, state);
  }

  /** @returns whether the answer was as expected */
  async #deliver(delivery: SentDelivery, expect: Expectation, isFirst: boolean): Promise<boolean> {
    const { to, secret } = this.#app;
    const { kind, rule } = this.#variant;
    const { method, path } = this.#fixture;
    const within = expect.within ?? defaultWithin;
    const done = await exchange({ url: forwardUrl(to.href, path), method, ...delivery }, within, this.#app);
    this.exchanges.push(done);
    const misses = missesOf(expect, done);
    if (rule === 'refused' && done.answer?.status === 404) {
      // The service treats a 404 as a temporary failure and repeats the delivery.
      const [expected, actual] = [t('{0}, but not 404', '4xx'), '404'];
      misses.push({
        kind: 'status',
        path: ['status'],
        expected,
        actual,
        message: comparedText(expected, actual),
      });
    }
    const cause = likelyCause(isFirst ? 'as it is' : kind, done, {
      isSigned: secret !== undefined,
      isToBeRefused: String(expect.status).startsWith('4'),
    });
    for (const miss of misses) {
      this.#tell(
        miss,
        isFirst ? sentences(miss.message, this.#whichOfTwo()) : miss.message,
        miss.path,
        miss.kind === 'status' || miss.kind === 'silent' ? cause : undefined,
      );
    }
    return misses.length === 0;
  }

  #whichOfTwo(): string {
    switch (this.#variant.kind) {
      case 'repeat':
        return t('This was the first of the two.');
      case 'concurrent':
        return t('This was the one sent alone.');
      default:
        return t('This was the newer of the two.');
    }
  }

  async #ask(after: AfterExpectation, isMet: (state: Exchange) => boolean): Promise<Exchange> {
    const state = await askAfter(this.#app, after, this.#variant.expect.within ?? defaultWithin, isMet);
    this.exchanges.push(state);
    return state;
  }

  /** The state once it has stayed the same for a moment: the app may still be at work on earlier variants. */
  async #settled(after: AfterExpectation): Promise<Exchange> {
    const { clock } = this.#app;
    const end = clock.now() + (after.within ?? defaultSettling);
    let state = await this.#ask(after, () => true);
    for (;;) {
      const next = await this.#askLater(after);
      if (isSameState(state, next) || clock.now() >= end) return next;
      state = next;
    }
  }

  /** The state a moment later. */
  async #askLater(after: AfterExpectation): Promise<Exchange> {
    const { clock, signal } = this.#app;
    await delay(clock, Math.min(quietMs, after.within ?? quietMs), signal);
    return this.#ask(after, () => true);
  }

  /** @param isOfOther whether what the variant does cannot be why */
  #judgeAfter(after: AfterExpectation, state: Exchange, isOfOther = false): boolean {
    const misses = afterMisses(after, state);
    const cause = isOfOther ? undefined : causeAfterwards(this.#variant.kind);
    for (const miss of misses) {
      const message = t('{0} afterwards: {1}', `GET ${after.get}`, miss.message);
      this.#tell(miss, message, ['after', ...miss.path], cause);
    }
    return misses.length === 0;
  }

  #tellChanged(after: AfterExpectation, before: Exchange, state: Exchange): void {
    const [expected, actual] = [stateText(before), stateText(state)];
    const message = t(
      '{0} returned {1} before, but {2} now.',
      `GET ${after.get}`,
      shownText(expected),
      shownText(actual),
    );
    const cause = causeAfterwards(this.#variant.kind);
    this.#tell({ expected, actual }, message, ['after', 'get'], cause);
  }

  #tell(
    { expected, actual }: Pick<Miss, 'expected' | 'actual'>,
    message: string,
    path: JsonPath,
    cause: string | undefined,
  ): void {
    const { path: own } = this.#variant;
    // `after` comes from the file's own `expect` if the variant has none of its own.
    const isOfFile = path[0] === 'after' && own.at(-1) !== 'expect';
    // Two at once fail alike, mostly.
    if (this.failures.some((failure) => failure.message === message)) return;
    const place = this.#fixture.placeOf([...(isOfFile ? ['expect'] : own), ...path]);
    this.failures.push({ message, expected, actual, place, cause });
  }
}

const fits =
  (after: AfterExpectation) =>
  (state: Exchange): boolean =>
    afterMisses(after, state).length === 0;

function stateText({ answer, problem }: Exchange): string {
  if (answer !== undefined) return `${answer.status} ${answer.body}`.trim();
  return problem?.kind === 'failed' ? shortMissingAnswerText(problem.error) : t('no response');
}

/**
 * Whether a state changed about twice as much at its second change as at its first: a number in it, where only numbers
 * change, or else the length of its text. Not exactly, since a list of two has a separator that a list of one has not.
 */
function isTwiceTheChange(...states: [Exchange, Exchange, Exchange]): boolean {
  const texts = states.map(stateText);
  const number = /\d+(?:\.\d+)?/g;
  const isOnlyNumbers = new Set(texts.map((text) => text.replace(number, ''))).size === 1;
  const [first = [], second = [], third = []] = texts.map((text) =>
    isOnlyNumbers ? [...text.matchAll(number)].map(([one]) => Number(one)) : [text.length],
  );
  return second.some((value, index) => {
    const [from = value, to = value] = [first[index], third[index]];
    return Math.abs(to - value) > 1.5 * Math.abs(value - from);
  });
}

/** The age of the older of two deliveries, in seconds: less than handlers tolerate. */
const olderSeconds = 30;

interface Signing {
  /** Undefined if the delivery is sent without a signature. */
  secret: string | undefined;
  /** Used for a fixture that has none of its own. */
  requestId: string;
  /** Unix milliseconds. */
  now: number;
}

/** A delivery as it is sent; `rawHeaders` are names and values in turn. */
interface SentDelivery {
  rawHeaders: string[];
  body: Uint8Array;
}

/** The deliveries that a variant consists of, in the order in which they are sent. */
function deliveriesOf(fixture: Fixture, kind: VariantName, signing: Signing): SentDelivery[] {
  const asItIs = signed(fixture, signing, 0);
  switch (kind) {
    case 'as it is':
      return [asItIs];
    case 'repeat':
      return [asItIs, asItIs];
    case 'stale':
      return [signed(fixture, signing, staleSeconds)];
    case 'body-changed':
      return [{ ...asItIs, body: spoilByte(asItIs.body) }];
    case 'bad-signature':
      return [
        changed(asItIs, (name, value) => (isSignature(name) ? `v1,${spoilDigit(value.slice(3))}` : value)),
      ];
    case 'missing-header':
      return [changed(asItIs, (name, value) => (isTimestamp(name) ? undefined : value))];
    case 'concurrent':
      // Ids of their own, since the app has the one of the file from earlier variants; of one length, for `isTwiceTheChange`.
      return [signed(fixture, signing, 0, '-alone'), signed(fixture, signing, 0, '-twice')];
    case 'out-of-order':
      return [signed(fixture, signing, 0, '-newer'), signed(fixture, signing, olderSeconds)];
  }
}

/** @param suffix appended to the request id, to make it another delivery */
function signed(fixture: Fixture, signing: Signing, ageSeconds: number, suffix = ''): SentDelivery {
  const { secret, now } = signing;
  const kept = endToEndHeaders(Object.entries(fixture.headers).flat(), leftOut);
  const { rawHeaders } = changed({ rawHeaders: kept, body: fixture.bytes }, (name, value) =>
    isRequestId(name) ? undefined : value,
  );
  const [, fixtureId] = headerPairs(kept).find(([name]) => isRequestId(name)) ?? [];
  // A receiver gets it without white space around it.
  const requestId = fixtureId?.trim() || signing.requestId;
  rawHeaders.push('X-Request-Id', `${requestId}${suffix}`);
  const time = now - ageSeconds * 1000;
  return {
    rawHeaders: secret === undefined ? rawHeaders : resign(rawHeaders, fixture.bytes, secret, time),
    body: fixture.bytes,
  };
}

/** @param change gives the new value of a header; undefined removes the header */
function changed(
  { rawHeaders, body }: SentDelivery,
  change: (name: string, value: string) => string | undefined,
): SentDelivery {
  const headers = headerPairs(rawHeaders).flatMap(([name, before]) => {
    const value = change(name, before);
    return value === undefined ? [] : [name, value];
  });
  return { rawHeaders: headers, body };
}

function isRequestId(name: string): boolean {
  return name.toLowerCase() === 'x-request-id';
}

function isSignature(name: string): boolean {
  return signatureName.test(name.toLowerCase());
}

function isTimestamp(name: string): boolean {
  return signedName.test(name) && !isSignature(name);
}
