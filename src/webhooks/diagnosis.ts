import { createHmac, timingSafeEqual } from 'node:crypto';
import { type HeldSecret, isOnlyCurrent, verifiesAt } from '../model/webhookSecret.ts';
import type { Cause } from './cause.ts';
import { type ContentVariant, contentVariants } from './contentVariants.ts';
import { type KeyVariant, keyVariants } from './keyVariants.ts';
import { readLeniently } from './lenientSignature.ts';
import {
  type Headers,
  type MalformedHeader,
  readSignature,
  type SignatureHeaders,
  verify,
} from './signature.ts';

/** A delivery and what it is held against. */
export interface Evidence {
  headers: Headers;
  /** The raw bytes as received. */
  body: Uint8Array;
  /** All that are held, those among them that verify no more. */
  secrets: readonly HeldSecret[];
  /** The only one that may verify, where the others are there to be named. */
  only?: HeldSecret;
  /** Unix seconds at arrival. */
  clock: number;
  /** How far the timestamp may lie from the clock; 0 does not check it. */
  toleranceSeconds: number;
  /** How hard to look: in passing, unless it says otherwise. */
  effort?: Effort;
}

/** What is to be said of the signature of a delivery. */
export type Diagnosis =
  /** `isOnly`: it is the only one that an owner has now, so that it need not be named. */
  | { kind: 'verified'; secret: HeldSecret; isOnly: boolean }
  | { kind: 'stale'; ageSeconds: number; inMilliseconds: boolean }
  | { kind: 'unsigned' | 'no-secret' }
  /** `causes` says what is unusual about a signature header, where a digest can be recognised in it. */
  | { kind: 'malformed'; problem: MalformedHeader; causes: Cause[] }
  /** With these causes the signature is the one received; `content` is what was signed. */
  | { kind: 'explained'; causes: Cause[]; content: ContentVariant }
  /** `exhausted`: the effort ended first. `proxy`: a header that tells of a proxy on the way. */
  | { kind: 'unexplained'; exhausted: boolean; proxy?: string };

/** How far a search for the cause goes. */
export interface Effort {
  /** About how many bytes may be hashed. */
  bytes: number;
  /** Whether two causes at once are tried too: each variant of a secret with each of the content. */
  pairs: boolean;
}

/** For the listener's thread, which has others to answer: some milliseconds. */
export const inPassing: Effort = { bytes: 1024 * 1024, pairs: false };

/** For a person who asked and waits. */
export const thorough: Effort = { bytes: 512 * 1024 * 1024, pairs: true };

/** What making one digest costs besides its bytes, in bytes. */
const digestCost = 1024;

/** Header names that only something between the service and the listener writes. */
const proxyHeader =
  /^(?:via|forwarded|x-real-ip|(?:x-forwarded|cf|ngrok|x-amzn|x-envoy|fly|x-vercel)-[\w-]{1,40})$/;

/**
 * Finds out why a delivery does not verify, by trying what people get wrong. It never decides whether a
 * delivery is genuine: that is for {@link verify} alone.
 */
export function diagnose(evidence: Evidence): Diagnosis {
  const { headers, body, clock, toleranceSeconds } = evidence;
  const verifying = verifyingSecrets(evidence);
  const texts = verifying.map(({ secret }) => secret);
  const check = verify(headers, body, texts, clock, toleranceSeconds);
  switch (check.verdict) {
    case 'verified': {
      const secret = verifying[check.secretIndex];
      if (secret === undefined) throw new TypeError('Verified by a secret that is not held.');
      return { kind: 'verified', secret, isOnly: isOnlyCurrent(secret, verifying) };
    }
    case 'stale':
      return {
        kind: 'stale',
        ageSeconds: check.ageSeconds,
        // Unix seconds pass this value in the year 5138.
        inMilliseconds: clock - check.ageSeconds > 1e11,
      };
    case 'unsigned':
    case 'no-secret':
      return { kind: check.verdict };
    case 'malformed':
      return check.problem === 'signature'
        ? diagnoseMalformed(evidence)
        : { kind: 'malformed', problem: check.problem, causes: [] };
    case 'mismatch':
      return diagnoseMismatch(evidence);
  }
}

/** The same of a delivery that is known to be a mismatch: verifying it again would cost its bytes for each secret. */
export function diagnoseMismatch(evidence: Evidence): Diagnosis {
  const read = readSignature(evidence.headers);
  if (read.kind !== 'signed') throw new TypeError(`A mismatch without a signature: ${read.kind}`);
  return search(read, evidence);
}

/** Those that verified when the delivery arrived. */
export function verifyingSecrets({ secrets, only, clock }: Evidence): HeldSecret[] {
  const at = Math.round(clock * 1000);
  return (only === undefined ? secrets : [only]).filter((held) => held.secret !== '' && verifiesAt(held, at));
}

function diagnoseMalformed(evidence: Evidence): Diagnosis {
  const lenient = readLeniently(evidence.headers);
  if (lenient === undefined) return { kind: 'malformed', problem: 'signature', causes: [] };
  const found = search(lenient.signed, evidence);
  return found.kind === 'explained'
    ? { ...found, causes: [...lenient.causes, ...found.causes] }
    : { kind: 'malformed', problem: 'signature', causes: lenient.causes };
}

function search(signed: SignatureHeaders, evidence: Evidence): Diagnosis {
  const { secrets, only } = evidence;
  const others = secrets.filter((held) => held.secret !== '' && held.secret !== only?.secret);
  const keys = keyVariants(only === undefined ? others : [only, ...others], only);
  const contents = () => contentVariants(signed, evidence.headers, evidence.body);
  const received = Buffer.from(signed.signature, 'hex');
  const { bytes, pairs } = evidence.effort ?? inPassing;
  let left = bytes;
  const [asReceived] = contents();
  // One cause first, the secret's or the content's; two at once last.
  const searches: [KeyVariant[], () => Iterable<ContentVariant>][] = [
    [keys, () => (asReceived === undefined ? [] : [asReceived])],
    [keys.filter(({ isPlain }) => isPlain), contents],
    [pairs ? keys.filter(({ isPlain }) => !isPlain) : [], contents],
  ];
  for (const [someKeys, someContents] of searches) {
    for (const { key, causes } of someKeys) {
      for (const content of someContents()) {
        if (left <= 0) return unexplained(evidence.headers, true);
        left -= content.body.byteLength + digestCost;
        if (timingSafeEqual(signatureOf(key, content), received)) {
          return { kind: 'explained', causes: [...causes, ...content.causes], content };
        }
      }
    }
  }
  return unexplained(evidence.headers, false);
}

function unexplained(headers: Headers, exhausted: boolean): Diagnosis {
  const proxy = Object.keys(headers).find((name) => proxyHeader.test(name.toLowerCase()));
  return { kind: 'unexplained', exhausted, ...(proxy !== undefined && { proxy }) };
}

/** The digest of a content (service-interface.md, section 6) under a key that need not be a text. */
function signatureOf(key: Buffer, { requestId, timestamp, body }: ContentVariant): Buffer {
  return createHmac('sha256', key).update(`${requestId}.${timestamp}.`, 'latin1').update(body).digest();
}
