import { headerPairs } from '../../shared/http/endToEndHeaders.ts';
import { createHmac, timingSafeEqual } from 'node:crypto';
import { t } from '../../shared/text/l10n.ts';
import type { Cause } from '../diagnosis/cause.ts';

/** Headers as Node gives them, by name or raw. Names are compared without regard to case. */
export type Headers = NamedHeaders | RawHeaders;
export type NamedHeaders = Readonly<Record<string, string | readonly string[] | undefined>>;

/** The three headers of a signed webhook (service-interface.md, section 6, "Headers on a delivery"). */
export interface SignatureHeaders {
  /** The vendor's part of the header names, in lower case: `service` in the interface document. */
  vendor: string;
  /** `X-Request-Id`. */
  requestId: string;
  /** Unix seconds, as the text that was signed. */
  timestamp: string;
  /** 64 hexadecimal digits in lower case, without the `v1,`. */
  signature: string;
}

/** Why the headers of a signed webhook cannot be checked. */
export type MalformedHeader =
  /** The signature header is not `v1,` and 64 hexadecimal digits in lower case. */
  | 'signature'
  | 'requestIdMissing'
  | 'timestampMissing'
  | 'timestampNotANumber'
  /** A number, but not written as Unix seconds: with a fraction, a leading zero, a sign, or too many digits. */
  | 'timestampNotSeconds';

/** What the headers of a webhook say of its signature, before any secret is tried. */
type ReadSignature =
  | { kind: 'unsigned' }
  | { kind: 'malformed'; problem: MalformedHeader }
  | ({ kind: 'signed' } & SignatureHeaders);

/** The result of verifying a webhook. */
type SignatureCheck =
  /** `secretIndex` is the index in `secrets` of the secret that fits. */
  | { verdict: 'verified'; secretIndex: number }
  /** The signature is right, but its timestamp is out of tolerance. `ageSeconds` is negative if it lies ahead. */
  | { verdict: 'stale'; secretIndex: number; ageSeconds: number }
  | { verdict: 'malformed'; problem: MalformedHeader }
  | { verdict: 'unsigned' | 'mismatch' | 'no-secret' };

/** The signature header's name in lower case; its group is the vendor. */
export const signatureName = /^x-(.+)-webhook-signature$/;
/** The names, in any case, of the headers that carry a signature and its time; the first group is the vendor. */
export const signedName = /^x-(.+)-webhook-(signature|timestamp)$/i;
const shortestSignatureName = 'x-?-webhook-signature'.length;
/** Exactly what the sender writes, and no equivalent: each content must be signed, and read, in only one way. */
// guard S7: A signature has one written form: `v1,` and 64 digits in lower case.
const signatureValue = /^v1,([0-9a-f]{64})$/;
/**
 * Unix seconds. The last second that a Date can hold has 13 digits, so a time in milliseconds is accepted here, and
 * then found out of the tolerance. A fraction would move the boundary between timestamp and body.
 */
// guard S7: A timestamp has one written form: a whole number of seconds.
const unixSeconds = /^(?:0|[1-9]\d{0,12})$/;

/**
 * The signature of a webhook: 64 hexadecimal digits in lower case, to be sent as `v1,<signature>`
 * (service-interface.md, section 6, "Signature verification").
 * @param secret keyed by its UTF-8 bytes, exactly as given
 * @param requestId the `X-Request-Id` header. Header text is one character a byte, as Node reads and writes it
 * @param timestamp the timestamp header
 * @param body the raw bytes: a decoded and encoded body may differ, by a byte-order mark or one bad byte
 */
export function sign(secret: string, requestId: string, timestamp: string, body: Uint8Array): string {
  return digest(secret, requestId, timestamp, body).toString('hex');
}

function digest(secret: string, requestId: string, timestamp: string, body: Uint8Array): Buffer {
  return createHmac('sha256', secret).update(`${requestId}.${timestamp}.`, 'latin1').update(body).digest();
}

/**
 * Finds the signature among the headers: any `X-<Vendor>-Webhook-Signature` with the `-Timestamp` of the
 * same vendor. Of several, the first that is well-formed counts.
 */
export function readSignature(headers: Headers): ReadSignature {
  const rawHeaders = rawHeadersOf(headers);
  let first: ReadSignature = { kind: 'unsigned' };
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? '';
    if (name.length < shortestSignatureName) continue;
    const vendor = signatureName.exec(name.toLowerCase())?.[1];
    if (vendor === undefined) continue;
    const read = readOne(vendor, rawHeaders[at + 1] ?? '', rawHeaders);
    if (read.kind === 'signed') return read;
    if (first.kind === 'unsigned') first = read;
  }
  return first;
}

/**
 * The vendor's part of the header names, as it is written: that of the signature which {@link verify} checks. Where
 * none can be checked, that of the first signature, else of the first timestamp.
 */
export function vendorOf(headers: Headers): string | undefined {
  const rawHeaders = rawHeadersOf(headers);
  const read = readSignature(rawHeaders);
  const named = headerPairs(rawHeaders).flatMap(([name]) => {
    const [, vendor = '', kind = ''] = signedName.exec(name) ?? [];
    return vendor === '' ? [] : [{ vendor, kind: kind.toLowerCase() }];
  });
  const found =
    read.kind === 'signed'
      ? named.find(({ vendor }) => vendor.toLowerCase() === read.vendor)
      : (named.find(({ kind }) => kind === 'signature') ?? named[0]);
  return found?.vendor;
}

/** The name of the timestamp header of {@link vendorOf}; undefined if there is no vendor. */
export function timestampNameOf(headers: Headers): string | undefined {
  const vendor = vendorOf(headers);
  return vendor === undefined ? undefined : `x-${vendor}-webhook-timestamp`;
}

function readOne(vendor: string, value: string, headers: RawHeaders): ReadSignature {
  const signature = signatureValue.exec(value)?.[1];
  // A repeated signature header is malformed: nobody knows which value was meant.
  if (signature === undefined || headerOf(headers, `x-${vendor}-webhook-signature`) !== value) {
    return { kind: 'malformed', problem: 'signature' };
  }
  const requestId = headerOf(headers, 'x-request-id');
  if (!requestId) return { kind: 'malformed', problem: 'requestIdMissing' };
  const timestamp = headerOf(headers, `x-${vendor}-webhook-timestamp`);
  if (!timestamp) return { kind: 'malformed', problem: 'timestampMissing' };
  if (!unixSeconds.test(timestamp)) {
    const isNumber = /\d/.test(timestamp) && !Number.isNaN(Number(timestamp));
    return { kind: 'malformed', problem: isNumber ? 'timestampNotSeconds' : 'timestampNotANumber' };
  }
  return { kind: 'signed', vendor, requestId, timestamp, signature };
}

function rawHeadersOf(headers: Headers): RawHeaders {
  if (isRaw(headers)) return headers;
  return Object.entries(headers).flatMap(([name, value]) => {
    if (value === undefined) return [];
    return typeof value === 'string' ? [name, value] : value.flatMap((one) => [name, one]);
  });
}

function isRaw(headers: Headers): headers is RawHeaders {
  return Array.isArray(headers);
}

/** Whether `secret` made the signature; compared in constant time. */
export function signatureMatches(signed: SignatureHeaders, secret: string, body: Uint8Array): boolean {
  const expected = digest(secret, signed.requestId, signed.timestamp, body);
  const received = Buffer.from(signed.signature, 'hex');
  // guard S4: The signature is HMAC-SHA256 over the raw bytes.
  return received.length === expected.length && timingSafeEqual(received, expected);
}

/**
 * Verifies a webhook. The timestamp is checked only if the signature is right, so an old delivery with a wrong
 * signature is a `mismatch`.
 * @param body the raw bytes as received
 * @param secrets the held secrets, the current one first; empty ones are ignored, since anyone could sign with them
 * @param clock Unix seconds at arrival
 * @param toleranceSeconds how far the timestamp may lie from the clock, either way; 0 does not check it
 */
export function verify(
  headers: Headers,
  body: Uint8Array,
  secrets: readonly string[],
  clock: number,
  toleranceSeconds: number,
): SignatureCheck {
  const read = readSignature(headers);
  if (read.kind === 'unsigned') return { verdict: 'unsigned' };
  if (read.kind === 'malformed') return { verdict: 'malformed', problem: read.problem };
  if (secrets.every((secret) => secret === '')) return { verdict: 'no-secret' };
  const secretIndex = secrets.findIndex((secret) => secret !== '' && signatureMatches(read, secret, body));
  if (secretIndex === -1) return { verdict: 'mismatch' };
  const ageSeconds = clock - Number(read.timestamp);
  // guard S5: The timestamp has to be fresh.
  return toleranceSeconds > 0 && Math.abs(ageSeconds) > toleranceSeconds
    ? { verdict: 'stale', secretIndex, ageSeconds }
    : { verdict: 'verified', secretIndex };
}

/** Headers as they came, names and values in turn: Node's `rawHeaders`. Text is one character a byte. */
type RawHeaders = readonly string[];

/** One header, by its name in lower case; joined with commas if it came more than once. */
export function headerOf(rawHeaders: RawHeaders, name: string): string | undefined {
  let found: string | undefined;
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    const candidate = rawHeaders[at] ?? '';
    if (candidate.length !== name.length || candidate.toLowerCase() !== name) continue;
    const value = rawHeaders[at + 1] ?? '';
    found = found === undefined ? value : `${found}, ${value}`;
  }
  return found;
}

/** Names in lower case; a header that came more than once is joined with commas. */
export function headersOf(rawHeaders: RawHeaders): Record<string, string> {
  // A null prototype keeps a header named `__proto__` a header.
  const headers = Object.create(null) as Record<string, string>;
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    const name = (rawHeaders[at] ?? '').toLowerCase();
    const value = rawHeaders[at + 1] ?? '';
    const previous = headers[name];
    headers[name] = previous === undefined ? value : `${previous}, ${value}`;
  }
  return headers;
}

/** A signature that is not written as it should be, and what is unusual about it. */
interface LenientSignature {
  signed: SignatureHeaders;
  causes: Cause[];
}

const parts = /^([a-z0-9]{0,16}[,=:]\s*)?([^\s,]+)$/i;

/**
 * Reads the signature of a delivery as leniently as a digest can be recognised at all. Only for finding out
 * what is wrong with it: verification takes `v1,` and 64 digits in lower case, and nothing else.
 */
export function readLeniently(headers: NamedHeaders): LenientSignature | undefined {
  for (const [name, value] of Object.entries(headers)) {
    if (!signatureName.test(name.toLowerCase()) || typeof value !== 'string') continue;
    const read = readDigest(value.trim());
    const signed = read && readSignature({ ...headers, [name]: `v1,${read.digest.toString('hex')}` });
    if (signed?.kind === 'signed') return { signed, causes: read?.causes ?? [] };
  }
  return undefined;
}

function readDigest(text: string): { digest: Buffer; causes: Cause[] } | undefined {
  const [, found = '', digits = ''] = parts.exec(text) ?? [];
  const causes: Cause[] = found === 'v1,' ? [] : [{ kind: 'signaturePrefix', text: prefixText(found) }];
  if (/^[0-9a-f]{64}$/i.test(digits)) {
    if (/[A-F]/.test(digits)) {
      const text = t('signature in capitals: write its hexadecimal digits in lower case');
      causes.push({ kind: 'signatureInCapitals', text });
    }
    return { digest: Buffer.from(digits, 'hex'), causes };
  }
  // 43 characters and a filler are the 32 bytes of a SHA-256.
  if (/^[\w+/-]{43}=?$/.test(digits)) {
    const text = t('signature in base64: write it in hexadecimal digits');
    causes.push({ kind: 'signatureInBase64', text });
    return { digest: Buffer.from(digits, 'base64'), causes };
  }
  return undefined;
}

function prefixText(found: string): string {
  return found === ''
    ? t('"v1," is missing: write it before the signature')
    : t('begins with "{0}": the signature has to begin with "v1,"', found);
}

/** How long ago a stale delivery was signed, in seconds: more than any handler tolerates. */
export const staleSeconds = 3600;

/** Changes the first digit of a signature. @param signature without the `v1,` */
export function spoilDigit(signature: string): string {
  return `${signature.startsWith('0') ? '1' : '0'}${signature.slice(1)}`;
}

/** Changes the last digit in a body, so that JSON stays JSON, else its first byte. An empty body gets a space. */
export function spoilByte(body: Uint8Array): Uint8Array {
  if (body.length === 0) return Buffer.from(' ');
  const spoiled = Buffer.from(body);
  const at = spoiled.findLastIndex((byte) => byte >= 0x30 && byte <= 0x39);
  const place = Math.max(at, 0);
  spoiled[place] = (spoiled[place] ?? 0) ^ 1;
  return spoiled;
}
