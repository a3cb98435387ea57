/** The result of verifying a delivery. */
export const verdicts = ['verified', 'unsigned', 'mismatch', 'stale', 'malformed', 'no-secret'] as const;

/** A status in a filter of deliveries: `500`, `50x` or `5xx`. */
export const statusPattern = /^[1-5](?:\d\d|\dx|xx)$/;

/** An age: `90s`, `15m`, `1h`, `1d`. */
export const agePattern = /^[1-9]\d{0,3}[smhd]$/;

/** What RFC 9110 allows in the name of a header. */
export const headerName = /^[\w!#$%&'*+.^`|~-]+$/;

/** The formats that a request can be copied in. */
export const copyFormats = ['curl', 'fetch', 'requests'] as const;

/** The ways to receive webhooks that there is verification code for. */
export const verificationTargetIds = [
  'node',
  'express',
  'fetch',
  'function',
  'nodeJs',
  'expressJs',
  'fetchJs',
  'functionJs',
  'flask',
  'fastapi',
  'go',
  'ruby',
  'php',
  'java',
] as const;

/**
 * The faults that the sandbox simulates on demand. `401`, `403`, `404`, `429`, `500` and `latency` affect the answer to
 * the call; `hang` and `slow` its webhook, or the answer if it has none; all others its webhook.
 */
export const sandboxFaults = [
  'bad-signature',
  'stale-timestamp',
  'missing-header',
  'repeat',
  'body-changed',
  'out-of-order',
  'hang',
  'slow',
  '401',
  '403',
  '404',
  '429',
  '500',
  'latency',
] as const;
