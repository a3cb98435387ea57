import { createHmac, type KeyObject, timingSafeEqual } from 'node:crypto';
import { type HeldSecret, verifiesAt } from '../../model/secrets/webhookSecret.ts';
import type { Cause } from './cause.ts';
import { type ContentVariant, contentVariants } from './contentVariants.ts';
import { keyVariants, type TriedKey } from './keyVariants.ts';
import type { NamedHeaders, SignatureHeaders } from '../signature/signature.ts';

/** What is searched. */
export interface Searched {
  headers: NamedHeaders;
  /** The raw bytes as received. */
  body: Uint8Array;
  /** All that are held, those among them that verify no more. */
  secrets: readonly HeldSecret[];
  /** The only one that may verify, where the others are there to be named. */
  only?: HeldSecret;
  /** Unix seconds at arrival. */
  clock: number;
}

/** Those that verified when the delivery arrived. */
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
  /** JSON of more tokens is not laid out anew: each layout takes as long as all the rest. */
  tokens: number;
  /** Whether there is time left. */
  goesOn: () => boolean;
  /** Whether a longer search follows, so that this one cannot say that nothing fits. */
  isPartial?: boolean;
  /** Is told of what is tried. */
  tries?: (causes: readonly Cause[]) => void;
}

const megabyte = 1024 * 1024;

/** For the listener's thread, which has others to answer: some milliseconds. */
// guard: what it finds out in passing is bounded
export const inPassing: Effort = { bytes: megabyte, triesPairs: false, tokens: 10_000, goesOn: () => true };

/**
 * For a person who asked and waits, in a thread that nobody else waits for.
 * @param goesOn whether there is time left
 */
export function thorough(goesOn: () => boolean): Effort {
  return { bytes: 4096 * megabyte, triesPairs: true, tokens: 2_000_000, goesOn };
}

/** A larger body is tried with what may have changed it first, since each variant of a secret costs all its bytes. */
const smallBytes = 64 * 1024;
/** What making one digest costs besides its bytes, in bytes. */
const digestCost = 1024;

/** What it takes for the signature to be the one received. */
export interface FoundCauses {
  causes: Cause[];
  /** Whether the key is a secret that verifies, so that the signature is right for something else than what came. */
  isKeyHeld: boolean;
}

/** What a search came to. `isCut`: it ended before all was tried. */
export interface SearchResult {
  found?: FoundCauses;
  isCut: boolean;
}

/** Tries what people get wrong. */
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

/** One cause comes first, the secret's or the content's; then two at once. */
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
