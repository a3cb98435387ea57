import type { IncomingMessage } from 'node:http';
import { Refusal } from '../refusal.ts';

const parameter = 'webhookEndpoint';

/** Where the result of a call goes besides its caller (service-interface.md, section 4.3). */
export interface WebhookParameters {
  endpoint: URL;
  /** `X-Webhook-Secret`, whose UTF-8 bytes are the key; an empty one is none. */
  secret?: string;
}

/** @throws Refusal 400 where the endpoint is not an absolute http or https address */
export function webhookParametersOf(request: IncomingMessage, query: string): WebhookParameters | undefined {
  const given = new URLSearchParams(query).get(parameter);
  if (given === null) return undefined;
  const endpoint = URL.parse(given);
  if (endpoint?.protocol !== 'http:' && endpoint?.protocol !== 'https:') {
    throw new Refusal(400, `The ${parameter} "${given}" is not an absolute http or https address.`);
  }
  const secret = [request.headers['x-webhook-secret']].flat()[0];
  return { endpoint, ...(secret && { secret: textOf(secret) }) };
}

/** What the bytes of a header mean, of which Node makes a character each: UTF-8, and Latin-1 where they are none. */
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

/** Path and query of a call as the app is to see them: all that the caller wrote but the webhook's parameter. */
export function targetForApp({ path, query }: { path: string; query: string }): string {
  const left = queryForApp(query);
  return left === '' ? path : `${path}?${left}`;
}

/** The query that is left for the app, as the caller wrote it. */
export function queryForApp(query: string): string {
  return query
    .split('&')
    .filter((pair) => !hasWebhook(pair))
    .join('&');
}
