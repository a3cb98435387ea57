import { createHmac, type KeyObject, timingSafeEqual } from 'node:crypto';
import { type HeldSecret, verifiesAt } from '../../model/secrets/webhookSecret.ts';
import type { Cause } from './cause.ts';
import { type ContentVariant, contentVariants } from './contentVariants.ts';
import { keyVariants, type TriedKey } from './keyVariants.ts';
import type { NamedHeaders, SignatureHeaders } from '../signature/signature.ts';

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
  /** Whether changed contents are tried with the variants of the secret too. */
  triesPairs: boolean;
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
// guard: what it finds out in passing is bounded
export const inPassing: Effort = { bytes: megabyte, triesPairs: false, tokens: 10_000, goesOn: () => true };

/**
 * For a user who waits for the result, in a thread that has nothing else to do.
 * @param goesOn whether there is time left
 */
export function thorough(goesOn: () => boolean): Effort {
  return { bytes: 4096 * megabyte, triesPairs: true, tokens: 2_000_000, goesOn };
}

/** In bytes. A larger body is tried with changed contents first: each variant of a secret hashes all of it again. */
const smallBytes = 64 * 1024;
/** The fixed cost of one digest, expressed in bytes. */
const digestCost = 1024;

/** The causes that together explain the received signature. */
export interface FoundCauses {
  causes: Cause[];
  /** Whether the key is a secret that verifies: then the signature is valid for content other than what arrived. */
  isKeyHeld: boolean;
}

/** The result of a search. `isCut`: it ended before everything was tried. */
export interface SearchResult {
  found?: FoundCauses;
  isCut: boolean;
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
  for (const { key, content } of attempts(signed, searched, effort, cut)) {
    bytesLeft -= content.body.byteLength + digestCost;
    if (bytesLeft < 0 || !effort.goesOn()) return { isCut: true };
    effort.tries?.(key.causes);
    effort.tries?.(content.causes);
    if (!timingSafeEqual(signatureOf(key.key, content), received)) continue;
    const isKeyHeld = [...secrets, ...(only ? [only] : [])].some(
      (one) => verifiesAt(one, clock * 1000) && key.key.export().equals(Buffer.from(one.secret)),
    );
    return { found: { causes: [...key.causes, ...content.causes], isKeyHeld }, isCut };
  }
  return { isCut };
}

/** What to try, in order: one cause, in the secret or in the content; then one in each. */
function* attempts(
  signed: SignatureHeaders,
  { headers, body, secrets, only }: Searched,
  { tokens, triesPairs }: Effort,
  cut: () => void,
): Generator<{ key: TriedKey; content: ContentVariant }> {
  const others = secrets.filter(({ secret }) => secret !== '' && secret !== only?.secret);
  const keys = keyVariants(only === undefined ? others : [only, ...others], only);
  const plainKeys = keys.filter(({ isPlain }) => isPlain);
  const otherKeys = keys.filter(({ isPlain }) => !isPlain);
  const isSmall = body.byteLength <= smallBytes;
  const isAsReceived = ({ causes }: ContentVariant): boolean => causes.length === 0;
  for (const content of contentVariants(signed, headers, body, tokens, cut)) {
    const tried = isSmall && isAsReceived(content) ? keys : plainKeys;
    for (const key of tried) yield { key, content };
  }
  for (const content of contentVariants(signed, headers, body, tokens, cut)) {
    if (isAsReceived(content) && isSmall) continue;
    if (!isAsReceived(content) && !triesPairs) break;
    for (const key of otherKeys) yield { key, content };
  }
}

/** The digest of a content (service-interface.md, section 6) under a key that need not be a text. */
function signatureOf(key: KeyObject, { requestId, timestamp, body }: ContentVariant): Buffer {
  return createHmac('sha256', key).update(`${requestId}.${timestamp}.`, 'latin1').update(body).digest();
}
