import { createHash, randomBytes } from 'node:crypto';
import * as v from 'valibot';
import { typedAddress } from '../service/typedAddress.ts';
import { isLoopback } from '../shared/http/loopback.ts';
import { t } from '../shared/text/l10n.ts';
import { sentences } from '../shared/text/sentences.ts';
import { UserError } from '../shared/text/userError.ts';

// What the relay and its readers tell each other (docs/relay.md).

/** The largest body that a relay takes, in bytes. */
export const mostRelayedBytes = 11 * 1024 * 1024;

/** The interval of the heartbeats of a relay, in milliseconds: a reader gives up a silent relay after three. */
export const heartbeatMs = 15_000;

/** How long a delivery waits for its reader, and how many of a channel do. */
export const keptDays = 7;
export const keptMost = 10_000;

/** A channel that nobody has read for so long is closed. */
export const openDays = 30;

/** The header with the token that a team's relay asks for when a channel is opened. */
export const joinHeader = 'x-runhook-join';

const keyBytes = 32;

/** Makes the key of a channel: whoever shows it owns the channel. */
export function newRelayKey(): string {
  return randomBytes(keyBytes).toString('base64url');
}

/** The key in a text: 256 bits in hex, base64 or base64url; undefined if it is none. */
export function readRelayKey(text: string): Buffer | undefined {
  const isHex = /^[\da-f]{64}$/i.test(text);
  if (!isHex && !/^[\w+/-]{43}=?$/.test(text)) return undefined;
  const key = Buffer.from(text, isHex ? 'hex' : 'base64url');
  return key.length === keyBytes ? key : undefined;
}

/**
 * The address of a relay as it is written in the settings, or as an argument.
 * @throws UserError if it is none, or would be reached unencrypted
 */
export function relayAddress(text: string): URL {
  const url = typedAddress(text, {
    elsewhere: 'https',
    remedies: [{ kind: 'openSettings', ids: ['relay.url'] }],
  });
  // guard S149: The key of an address never travels unencrypted.
  if (url.protocol === 'https:' || isLoopback(url.hostname)) return url;
  throw new UserError(
    t('The relay has to be reached by https: {0} would show the key on the way.', url.href),
    {
      remedies: [{ kind: 'openSettings', ids: ['relay.url'] }],
    },
  );
}

/** The length of the name of a channel: 130 bits, which nobody guesses. */
const channelLength = 26;
const alphabet = 'abcdefghijklmnopqrstuvwxyz234567';

/** Matches the name of a channel. */
export const channelForm = /^[a-z2-7]{26}$/;

/** The channel of a key: the beginning of its SHA-256 in base32, so that the address tells nothing of the key. */
export function channelOf(key: Uint8Array): string {
  let bits = BigInt(`0x${createHash('sha256').update(key).digest('hex')}`) << 4n;
  let name = '';
  for (; bits > 0n || name.length < 52; bits >>= 5n) name = (alphabet[Number(bits & 31n)] ?? '') + name;
  return name.slice(0, channelLength);
}

/** The answer to `PUT /v1/channel`. */
export const openedSchema = v.object({
  /** Where the service sends the deliveries of this channel. */
  address: v.pipe(v.string(), v.url()),
  keptDays: v.number(),
  keptMost: v.number(),
});
export type OpenedChannel = v.InferOutput<typeof openedSchema>;

const count = v.pipe(v.number(), v.safeInteger(), v.minValue(0));

/** A delivery on its way from the relay. Its place in the engine, with the time, names it for good. */
export const relayedSchema = v.object({
  seq: count,
  /** When the relay took it, in Unix milliseconds. */
  at: count,
  method: v.literal('POST'),
  /** What HTTP allows, as Node reads it: the store relies on that. */
  path: v.pipe(v.string(), v.regex(/^\/[\x21-\x7e\x80-\xff]*$/)),
  /** Names and values in turn, one character a byte. */
  rawHeaders: v.pipe(
    v.array(v.pipe(v.string(), v.regex(/^[\t\x20-\x7e\x80-\xff]*$/))),
    v.check(({ length }) => length % 2 === 0),
  ),
  /** In base64. */
  body: v.string(),
});
export type RelayedDelivery = v.InferOutput<typeof relayedSchema>;

/** What a channel has lost while nobody read it. */
export const lossesSchema = v.object({
  /** How many deliveries were older than the relay keeps them. */
  aged: count,
  /** How many posts got no answer since the channel was full. */
  turnedAway: count,
});
export type RelayLosses = v.InferOutput<typeof lossesSchema>;

/** What was lost, as sentences. */
export function lossesText({ aged, turnedAway }: RelayLosses): string {
  const dropped =
    aged === 1
      ? t("1 delivery was dropped by the relay's age limit of {0} days.", keptDays)
      : t("{0} deliveries were dropped by the relay's age limit of {1} days.", aged, keptDays);
  const full = t('The relay was full. Attempts of the service left without a response: {0}.', turnedAway);
  return sentences(aged > 0 ? dropped : undefined, turnedAway > 0 ? full : undefined);
}

/** A line of `GET /v1/deliveries`. */
export const relayLineSchema = v.union([
  relayedSchema,
  v.object({ losses: lossesSchema }),
  v.object({ heartbeat: v.literal(true) }),
]);
export type RelayLine = v.InferOutput<typeof relayLineSchema>;

/** The body of `POST /v1/acks`: what is on the reader's disk. */
export const acksSchema = v.object({
  seqs: v.pipe(v.array(count), v.maxLength(10_000)),
});
