import { endToEndHeaders } from '../../model/service/endToEndHeaders.ts';
import type { SandboxFault } from '../../model/service/sandboxFault.ts';
import { signatureHeader, signingTime } from '../../sandbox/webhook/webhookFaults.ts';
import type { Fixture } from '../../suite/fixture/fixture.ts';
import { resign } from '../../webhooks/deliveries/replay.ts';
import { signatureName } from '../../webhooks/signature/signature.ts';

/**
 * The headers of a fixture as they are sent.
 * @param secret signs it anew; undefined sends it as it was saved
 * @param now Unix milliseconds
 */
export function sentHeaders(
  { headers, bytes }: Fixture,
  secret: string | undefined,
  faults: ReadonlySet<SandboxFault>,
  now: number,
): Record<string, string> {
  const kept = endToEndHeaders(Object.entries(headers).flat(), ['host', 'content-length']);
  if (secret === undefined) return recordOf(kept);
  const signed = recordOf(resign(kept, bytes, secret, signingTime(now, faults) * 1000));
  for (const [name, value] of Object.entries(signed)) {
    if (signatureName.test(name.toLowerCase())) {
      signed[name] = signatureHeader(value.replace('v1,', ''), faults);
    } else if (faults.has('missing-header') && /^x-.+-webhook-timestamp$/i.test(name)) {
      // oxlint-disable-next-line typescript/no-dynamic-delete -- its name depends on the vendor
      delete signed[name];
    }
  }
  return signed;
}

/** @param raw names and values in turn */
function recordOf(raw: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    raw.flatMap((name, at) => (at % 2 === 0 ? [[name, raw[at + 1] ?? ''] as const] : [])),
  );
}
