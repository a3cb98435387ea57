import { type KeyObject, createHmac, createSecretKey, timingSafeEqual } from 'node:crypto';
import { type HeldSecret, verifiesAt } from '../signature/webhookSecret.ts';
import { type Cause, signedEarlierText, signedWithText } from './cause.ts';
import { type ReceivedBody, bodyChanges } from './bodyChanges.ts';
import { type Framing, framings } from './framings.ts';
import { fewJsonTokens } from '../../shared/json/jsonText.ts';
import { t } from '../../shared/text/l10n.ts';
import type { NamedHeaders, SignatureHeaders } from '../signature/signature.ts';
import { secretChanges } from './secretChanges.ts';

/** The input of a search for the cause. */
export interface Searched {
  headers: NamedHeaders;
  /** The raw bytes as received. */
  body: Uint8Array;
  /** All held secrets, including those that no longer verify. */
  secrets: readonly HeldSecret[];
  /** If set, the only secret that may verify: the others are there only so that a cause can name them. */
  only?: HeldSecret;
  /** Unix seconds at arrival. */
  clock: number;
  /** What the service answered to the run that the delivery belongs to, where that is known and whole. */
  runAnswer?: Uint8Array;
}

/** The secrets that were able to verify the delivery when it arrived. */
export function verifyingSecrets({ secrets, only, clock }: Omit<Searched, 'headers' | 'body'>): HeldSecret[] {
  const at = Math.round(clock * 1000);
  return (only === undefined ? secrets : [only]).filter((held) => held.secret !== '' && verifiesAt(held, at));
}

/** How far a search for the cause goes. */
export interface Effort {
  /** About how many bytes may be hashed. A larger body is not tried at all. */
  bytes: number;
  /** Whether changes are tried two at a time too, and those of which there are many. */
  isThorough: boolean;
  /** JSON with more tokens is not re-serialised: each layout takes as long as the rest of the search. */
  tokens: number;
  /** Whether there is time left. */
  goesOn: () => boolean;
  /** Whether a longer search follows, so that this one cannot say that nothing fits. */
  isPartial?: boolean;
  /** Called with the causes that are tried. */
  tries?: (causes: readonly Cause[]) => void;
}

const megabyte = 1024 * 1024;

/** For the listener's thread, which has other requests to answer: takes a few milliseconds. */
// guard S104: The diagnosis in passing is bounded.
export const inPassing: Effort = { bytes: megabyte, isThorough: false, tokens: 10_000, goesOn: () => true };

/**
 * For a user who waits for the result, in a thread that has nothing else to do.
 * @param goesOn whether there is time left
 */
export function thorough(goesOn: () => boolean): Effort {
  return { bytes: 4096 * megabyte, isThorough: true, tokens: 2_000_000, goesOn };
}

/** In bytes. Of a larger body, changes of it and of a secret are tried in turn: either takes long. */
const smallBytes = 64 * 1024;
/** The fixed cost of one digest, expressed in bytes. */
const digestCost = 1024;
/** The secrets that are tried with everything before the others are. */
const likelySecrets = 2;

/** The causes that together explain the received signature. */
export interface FoundCauses {
  causes: Cause[];
  /** Whether the key is a secret that verifies: then the signature is valid for content other than what arrived. */
  isKeyHeld: boolean;
}

/** The result of a search. `isCut`: it ended before everything was tried. */
interface SearchResult {
  found?: FoundCauses;
  isCut: boolean;
}

/** A body that may have been signed. */
interface TriedBody {
  body: Uint8Array;
  causes: Cause[];
}

/** What is tried in one go. */
interface Attempt {
  key: TriedKey;
  framing: Framing;
  body: TriedBody;
}

/** Tries the usual mistakes until one explains the received signature. */
export function findCauses(signed: SignatureHeaders, searched: Searched, effort: Effort): SearchResult {
  const { secrets, only, clock } = searched;
  const received = Buffer.from(signed.signature, 'hex');
  let isCut = effort.isPartial ?? false;
  let bytesLeft = effort.bytes;
  const cut = (): void => {
    isCut = true;
  };
  for (const { key, framing, body } of attempts(signed, searched, effort, cut)) {
    bytesLeft -= body.body.byteLength + digestCost;
    if (bytesLeft < 0 || !effort.goesOn()) return { isCut: true };
    const causes = [...key.causes, ...framing.causes, ...body.causes];
    effort.tries?.(causes);
    const digest = createHmac('sha256', key.key)
      .update(framing.before, 'latin1')
      .update(body.body)
      .update(framing.after, 'latin1')
      .digest();
    const isUnchanged = framing.causes.length === 0 && body.causes.length === 0;
    const spoiled = isUnchanged ? spoiledDigits(digest, received) : 0;
    if (spoiled === undefined || (spoiled === 0 && !timingSafeEqual(digest, received))) continue;
    const isKeyHeld = [...secrets, ...(only ? [only] : [])].some(
      (one) => verifiesAt(one, clock * 1000) && key.key.export().equals(Buffer.from(one.secret)),
    );
    return {
      found: { causes: spoiled === 0 ? causes : [...causes, digitsCause(spoiled)], isKeyHeld },
      isCut,
    };
  }
  return { isCut };
}

/** Two digests that differ in so few of their 64 digits are the same one, spoiled: none comes that close by chance. */
const mostSpoiled = 4;

/** How many digits of the right signature were changed; undefined if it is another one. */
function spoiledDigits(right: Buffer, received: Buffer): number | undefined {
  let count = 0;
  for (const [at, byte] of right.entries()) {
    const other = byte ^ (received[at] ?? 0);
    count += (other >> 4 === 0 ? 0 : 1) + (other % 16 === 0 ? 0 : 1);
    if (count > mostSpoiled) return undefined;
  }
  return count;
}

function digitsCause(count: number): Cause {
  const text =
    count === 1
      ? t('one digit changed: body and secret are correct, the signature is not')
      : t('{0} digits changed: body and secret are correct, the signature is not', count);
  return { kind: 'signatureDigits', text };
}

/**
 * What to try, in order: what arrived with each secret; then one change, of what is around the body, of the secret or
 * of the body; then one in two of the three.
 */
function* attempts(
  signed: SignatureHeaders,
  searched: Searched,
  { tokens: mostTokens, isThorough }: Effort,
  cut: () => void,
): Generator<Attempt> {
  const { headers, body, secrets, only, runAnswer } = searched;
  const others = secrets.filter(({ secret }) => secret !== '' && secret !== only?.secret);
  const ordered = only === undefined ? others : [only, ...others];
  const which = whichSecret(ordered, only);
  const likely = triedKeys(ordered.slice(0, likelySecrets), which);
  const unlikely = triedKeys(ordered.slice(likelySecrets), which);

  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  const text = bytes.toString();
  const found = fewJsonTokens(text, mostTokens);
  if (found === 'tooMany') cut();
  const tokens = found === 'tooMany' ? undefined : found;
  const json: unknown = tokens && JSON.parse(text);
  const asReceived: TriedBody[] = [{ body, causes: [] }];
  const parts: ReceivedBody = { bytes, text, tokens, runAnswer };
  const bodies = (withLong: boolean) => changedBodies(parts, withLong);
  const around = (withPairs: boolean) => [...framings(signed, headers, json, cut, withPairs)];
  const [asSigned, ...reframed] = around(false);
  const right = asSigned === undefined ? [] : [asSigned];

  yield* each(() => likely.plain, right, asReceived);
  yield* each(() => unlikely.plain, right, asReceived);
  const isSmall = body.byteLength <= smallBytes;
  for (const keys of [likely, unlikely]) {
    const changedSecret = each(() => keys.changed(), right, asReceived);
    const changedBody = each(() => keys.plain, right, bodies(isThorough));
    if (isSmall) {
      yield* each(() => keys.plain, reframed, asReceived);
      yield* changedSecret;
      yield* changedBody;
    } else {
      yield* inTurn(changedBody, changedSecret);
      yield* each(() => keys.plain, reframed, asReceived);
    }
  }
  if (!isThorough) return;
  for (const keys of [likely, unlikely]) {
    yield* each(() => keys.plain, around(true), asReceived);
    yield* each(() => keys.plain, reframed, bodies(false));
    yield* each(() => keys.changed(), right, bodies(false));
    yield* each(() => keys.changed(), reframed, asReceived);
  }
}

function* each(
  keys: () => Iterable<TriedKey>,
  around: readonly Framing[],
  bodies: Iterable<TriedBody>,
): Generator<Attempt> {
  for (const body of bodies) {
    for (const framing of around) {
      for (const key of keys()) yield { key, framing, body };
    }
  }
}

/** One of each in turn, until both have ended. */
function* inTurn<T>(one: Iterator<T, unknown>, other: Iterator<T, unknown>): Generator<T> {
  const left = [one, other];
  for (let next = left.shift(); next !== undefined; next = left.shift()) {
    const result = next.next();
    if (result.done === true) continue;
    yield result.value;
    left.push(next);
  }
}

/** @param withLong whether those that try much are among them */
function* changedBodies(received: ReceivedBody, withLong: boolean): Generator<TriedBody> {
  for (const { kind, of, isLong } of bodyChanges) {
    if (isLong && !withLong) continue;
    for (const [body, text] of of(received)) {
      yield { body: typeof body === 'string' ? Buffer.from(body) : body, causes: [{ kind, text }] };
    }
  }
}

/** A key that the sender may have signed with, and what was done to a held secret to get it. */
interface TriedKey {
  /** Not the bytes themselves: each key is tried many times, and Node is far slower with bytes. */
  key: KeyObject;
  causes: Cause[];
}

/**
 * The keys that people make of held secrets: the secrets themselves, and what may have become of them.
 * @param secrets the likeliest first
 * @param which says which of them it is, where that has to be said
 */
function triedKeys(secrets: readonly HeldSecret[], which: (held: HeldSecret, isChanged: boolean) => Cause[]) {
  const seen = new Set<string>();
  const add = (bytes: Buffer, causes: Cause[]): TriedKey[] => {
    const id = bytes.toString('latin1');
    if (bytes.length === 0 || seen.has(id)) return [];
    seen.add(id);
    return [{ key: createSecretKey(bytes), causes }];
  };
  const plain = secrets.flatMap((held) => add(Buffer.from(held.secret), which(held, false)));
  function* makeChanged(): Generator<TriedKey> {
    for (const held of secrets) {
      for (const { kind, of } of secretChanges) {
        for (const [key, text] of of(held.secret))
          yield* add(Buffer.from(key), [...which(held, true), { kind, text }]);
      }
    }
  }
  const making = makeChanged();
  const made: TriedKey[] = [];
  /** The changed secrets. Each key is made only once, and only when it is needed. */
  function* changed(): Generator<TriedKey> {
    for (let at = 0; ; at += 1) {
      const next = at === made.length ? making.next() : undefined;
      if (next?.done === false) made.push(next.value);
      const key = made[at];
      if (key === undefined) return;
      yield key;
    }
  }
  return { plain, changed };
}

/**
 * Says which of the held secrets one is.
 * @param expected the secret that is expected to be used, and so is not named as a cause
 */
function whichSecret(
  secrets: readonly HeldSecret[],
  expected: HeldSecret | undefined,
): (held: HeldSecret, isChanged: boolean) => Cause[] {
  const several = secrets.filter(({ until }) => until === undefined).length > 1;
  return (held, isChanged) => {
    const { owner, until } = held;
    if (held === expected) return [];
    if (until !== undefined && owner.kind !== 'once') {
      return [{ kind: 'earlierSecret', text: signedEarlierText(owner) }];
    }
    // One that verifies is no cause; of what was changed in one, it says in which.
    return several && (isChanged || expected !== undefined)
      ? [{ kind: 'secretOf', text: signedWithText({ owner }) }]
      : [];
  };
}
