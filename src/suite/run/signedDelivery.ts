import { endToEndHeaders } from '../../model/service/endToEndHeaders.ts';
import { resign } from '../../webhooks/deliveries/replay.ts';
import { signatureName, signedName } from '../../webhooks/signature/signature.ts';
import { spoilByte, spoilDigit, staleSeconds } from '../../webhooks/signature/spoil.ts';
import type { Fixture } from '../fixture/fixture.ts';
import type { VariantName } from '../fixture/fixtureSchema.ts';
import { leftOut } from '../fixture/savedFixture.ts';

/** The age of the older of two deliveries, in seconds: less than handlers tolerate. */
const olderSeconds = 30;

export interface Signing {
  /** Undefined if the delivery is sent without a signature. */
  secret: string | undefined;
  /** Used for a fixture that has none of its own. */
  requestId: string;
  /** Unix milliseconds. */
  now: number;
}

/** A delivery as it is sent; `rawHeaders` are names and values in turn. */
export interface SentDelivery {
  rawHeaders: string[];
  body: Uint8Array;
}

/** The deliveries that a variant consists of, in the order in which they are sent. */
export function deliveriesOf(fixture: Fixture, kind: VariantName, signing: Signing): SentDelivery[] {
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
  const fixtureId = kept.find((_, at) => at % 2 === 1 && isRequestId(kept[at - 1] ?? ''));
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
  const headers = rawHeaders.flatMap((name, at) => {
    const value = at % 2 === 0 ? change(name, rawHeaders[at + 1] ?? '') : undefined;
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
