import * as v from 'valibot';
import { parseExactly } from './exactJson.ts';
import { isJsonObject } from './jsonObject.ts';
import type { Translate } from './translate.ts';
import { UserError } from './userError.ts';

/** The key of a payload document under which the call itself is set; it is not sent to the app. */
export const settingsKey = '$runhook';

const queryValue = v.union([v.string(), v.number(), v.boolean()]);

const settingsSchema = v.pipe(
  v.custom<Record<string, unknown>>(isJsonObject, 'is not an object'),
  v.strictObject({
    path: v.exactOptional(v.string()),
    method: v.exactOptional(v.string()),
    headers: v.exactOptional(v.record(v.string(), v.string())),
    query: v.exactOptional(v.record(v.string(), v.union([queryValue, v.array(queryValue)]))),
    webhook: v.exactOptional(v.union([v.boolean(), v.string()])),
    body: v.exactOptional(v.unknown()),
  }),
);

/** How an app is called, as the settings block of a payload document says it. */
export interface Payload {
  /** What follows the app's name, with the block's query. */
  path: string;
  method: string;
  headers: Record<string, string>;
  /** `true`: the listener; a text: that address. Undefined where the document does not say. */
  webhook: boolean | string | undefined;
  /** JSON text; undefined where the method has no body and the document has none to send. */
  body: string | undefined;
}

/**
 * Reads a payload document: JSON, with the settings block taken out.
 * Without a block the body is the document's own text, byte for byte.
 * @throws UserError where it is not JSON, or the block does not fit
 */
export function readPayload(text: string, t: Translate): Payload {
  const bare = text.replace(/^\uFEFF/, '');
  const document = parseDocument(bare, t);
  const block = isJsonObject(document) ? document[settingsKey] : undefined;
  const read = v.safeParse(settingsSchema, block ?? {});
  if (!read.success) {
    const [issue] = read.issues;
    throw new UserError(
      t('"{0}" of the payload does not fit: {1} {2}', settingsKey, v.getDotPath(issue) ?? '', issue.message),
    );
  }
  const settings = read.output;
  const method = (settings.method ?? 'POST').toUpperCase();
  return {
    path: withQuery(settings.path ?? 'run', settings.query ?? {}),
    method,
    headers: settings.headers ?? {},
    webhook: settings.webhook,
    body: bodyOf(bare, block !== undefined, method),
  };
}

/**
 * The addresses beside the listener's that a call has its result sent to (service-interface.md, section 4.3).
 * @param webhook what was chosen for the call; `true` gives way to an address of the payload's own
 */
export function resultAddresses(payload: Payload, webhook: boolean | string): string[] {
  const chosen = webhook === true ? payload.webhook : webhook;
  const { searchParams } = new URL(payload.path, 'http://app/');
  return [...(typeof chosen === 'string' ? [chosen] : []), ...searchParams.getAll('webhookEndpoint')];
}

function parseDocument(text: string, t: Translate): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new UserError(t('The payload is not JSON: {0}', reason), { cause: error });
  }
}

function bodyOf(text: string, hasBlock: boolean, method: string): string | undefined {
  const body = hasBlock ? withoutBlock(text) : text;
  const bodiless = method === 'GET' || method === 'HEAD';
  return bodiless && /^\s*\{\s*\}\s*$/.test(body) ? undefined : body;
}

/** The document without its block, or the block's own `body`. Numbers keep the digits that they were written with. */
function withoutBlock(text: string): string {
  const document = parseExactly(text);
  const { [settingsKey]: block, ...rest } = document as Record<string, unknown>;
  return JSON.stringify(isJsonObject(block) && 'body' in block ? block['body'] : rest);
}

function withQuery(path: string, query: NonNullable<v.InferOutput<typeof settingsSchema>['query']>): string {
  const parameters = new URLSearchParams();
  for (const [name, values] of Object.entries(query)) {
    for (const value of [values].flat()) parameters.append(name, String(value));
  }
  if (parameters.size === 0) return path;
  return `${path}${path.includes('?') ? '&' : '?'}${parameters.toString()}`;
}
