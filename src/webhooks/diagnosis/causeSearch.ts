import { createHmac, timingSafeEqual } from 'node:crypto';
import { type HeldSecret, verifiesAt } from '../../model/secrets/webhookSecret.ts';
import type { Cause } from './cause.ts';
import { type ContentVariant, contentVariants } from './contentVariants.ts';
import { keyVariants, type TriedKey } from './keyVariants.ts';
import type { Headers, SignatureHeaders } from '../signature/signature.ts';

/** What is searched. */
export interface Searched {
  headers: Headers;
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
  /** How many bytes of changed bodies are held, to try each with the variants of the secret too; 0 tries none. */
  heldBytes: number;
  /** JSON of more tokens is not laid out anew: each layout takes as long as all the rest. */
  tokens: number;
  /** Whether there is time left. */
  goesOn: () => boolean;
  /** Whether a longer search follows, so that this one cannot say that nothing fits. */
  isPartial?: boolean;
}

const megabyte = 1024 * 1024;

/** For the listener's thread, which has others to answer: some milliseconds. */
// guard: what it finds out in passing is bounded
export const inPassing: Effort = { bytes: megabyte, heldBytes: 0, tokens: 10_000, goesOn: () => true };

/**
 * For a person who asked and waits, in a thread that nobody else waits for.
 * @param goesOn whether there is time left
 */
export function thorough(goesOn: () => boolean): Effort {
  return { bytes: 4096 * megabyte, heldBytes: 64 * megabyte, tokens: 2_000_000, goesOn };
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

/**
 * Tries what people get wrong. One cause comes first, the secret's or the content's; then two at once, as far as
 * the contents could be held. Each content is made once.
 */
export function findCauses(signed: SignatureHeaders, searched: Searched, effort: Effort): SearchResult {
  const { headers, body, secrets, only } = searched;
  const search = new CauseSearch(Buffer.from(signed.signature, 'hex'), effort);
  const others = secrets.filter(({ secret }) => secret !== '' && secret !== only?.secret);
  const keys = keyVariants(only === undefined ? others : [only, ...others], only);
  const plainKeys = keys.filter(({ isPlain }) => isPlain);
  const otherKeys = keys.filter(({ isPlain }) => !isPlain);
  const isSmall = body.byteLength <= smallBytes;
  const held: ContentVariant[] = [];
  let room = effort.heldBytes;
  for (const content of contentVariants(signed, headers, body, effort.tokens, () => search.cut())) {
    const isAsReceived = content.causes.length === 0;
    search.try(content, isAsReceived && isSmall ? keys : plainKeys);
    if (search.hasEnded) break;
    const size = content.body === body ? 0 : content.body.byteLength;
    if (isAsReceived ? isSmall : effort.heldBytes === 0) continue;
    if (size > room) search.cut();
    else held.push(content);
    room -= Math.min(room, size);
  }
  for (const content of held) {
    if (search.hasEnded) break;
    search.try(content, otherKeys);
  }
  const verifying = [...secrets, ...(only ? [only] : [])].filter((one) =>
    verifiesAt(one, searched.clock * 1000),
  );
  return search.result((key) => verifying.some(({ secret }) => key.equals(Buffer.from(secret))));
}

/** One search, and what is left of its effort. */
class CauseSearch {
  readonly #received: Buffer;
  readonly #effort: Effort;
  #bytesLeft: number;
  #isCut: boolean;
  #found: { key: Buffer; causes: Cause[] } | undefined;
  #isOver = false;

  constructor(received: Buffer, effort: Effort) {
    this.#received = received;
    this.#effort = effort;
    this.#bytesLeft = effort.bytes;
    this.#isCut = effort.isPartial ?? false;
  }

  /** Whether something fits, or the effort is over. */
  get hasEnded(): boolean {
    return this.#isOver || this.#found !== undefined;
  }

  /** Something is not tried, as it would take too long. */
  cut(): void {
    this.#isCut = true;
  }

  /** Tries a content with each of the keys. */
  try(content: ContentVariant, keys: readonly TriedKey[]): void {
    for (const { key, causes } of keys) {
      this.#bytesLeft -= content.body.byteLength + digestCost;
      this.#isOver = this.#bytesLeft < 0 || !this.#effort.goesOn();
      if (this.#isOver) return;
      if (timingSafeEqual(signatureOf(key, content), this.#received)) {
        this.#found = { key, causes: [...causes, ...content.causes] };
        return;
      }
    }
  }

  /** @param isHeld whether a key is a secret that verifies */
  result(isHeld: (key: Buffer) => boolean): SearchResult {
    const isCut = this.#isCut || this.#isOver;
    if (this.#found === undefined) return { isCut };
    const { key, causes } = this.#found;
    return { found: { causes, isKeyHeld: isHeld(key) }, isCut };
  }
}

/** The digest of a content (service-interface.md, section 6) under a key that need not be a text. */
function signatureOf(key: Buffer, { requestId, timestamp, body }: ContentVariant): Buffer {
  return createHmac('sha256', key).update(`${requestId}.${timestamp}.`, 'latin1').update(body).digest();
}
