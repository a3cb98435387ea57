import type { IncomingMessage } from 'node:http';
import { httpUrl } from '../../endpoints.ts';
import { Refusal } from '../refusal.ts';

const parameter = 'webhookEndpoint';

/** Where the result of a call is sent in addition to its caller (service-interface.md, section 4.3). */
export interface WebhookParameters {
  endpoint: URL;
  /** `X-Webhook-Secret`, whose UTF-8 bytes are the signing key; absent if empty. */
  secret?: string;
}

/** @throws Refusal 400 if the endpoint is not an absolute http or https address */
export function webhookParametersOf(request: IncomingMessage, query: string): WebhookParameters | undefined {
  const given = new URLSearchParams(query).get(parameter);
  if (given === null) return undefined;
  const endpoint = httpUrl(given);
  if (endpoint === undefined) {
    throw new Refusal(400, `The ${parameter} "${given}" is not an absolute http or https address.`);
  }
  const secret = [request.headers['x-webhook-secret']].flat()[0];
  return { endpoint, ...(secret && { secret: textOf(secret) }) };
}

/** Decodes a header, of which Node makes one character per byte: as UTF-8, or as Latin-1 if it is not UTF-8. */
function textOf(value: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(Buffer.from(value, 'latin1'));
  } catch {
    return value;
  }
}

export function hasWebhook(query: string): boolean {
  return new URLSearchParams(query).has(parameter);
}

/** Path and query of a call as the app sees them: as the caller wrote them, without the webhook parameter. */
export function targetForApp({ path, query }: { path: string; query: string }): string {
  const left = queryForApp(query);
  return left === '' ? path : `${path}?${left}`;
}

/** The query for the app: as the caller wrote it, without the webhook parameter. */
export function queryForApp(query: string): string {
  return query
    .split('&')
    .filter((pair) => !hasWebhook(pair))
    .join('&');
}
