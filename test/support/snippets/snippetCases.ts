import { signatureCases } from '../deliveries/signatureCases.ts';

/**
 * The signature cases in the format of the drivers: one line per case, with secret, clock, request id, timestamp,
 * signature and body in base64, separated by tabs; `-` means a missing header. A driver answers each line with `true` or
 * `false`.
 */
export function caseLines(): string {
  const base64 = (text: string | undefined, encoding: BufferEncoding = 'utf8') =>
    text === undefined ? '-' : Buffer.from(text, encoding).toString('base64');
  const lines = signatureCases.map(({ heldSecret, clock, headers, bodyBase64 }) =>
    [
      base64(heldSecret),
      base64(clock.toString()),
      base64(headers['X-Request-Id'], 'latin1'),
      base64(headers['X-Service-Webhook-Timestamp'], 'latin1'),
      base64(headers['X-Service-Webhook-Signature'], 'latin1'),
      bodyBase64,
    ].join('\t'),
  );
  return `${lines.join('\n')}\n`;
}
