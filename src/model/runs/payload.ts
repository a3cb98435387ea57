import * as v from 'valibot';
import { plainJson } from '../json/commentedJson.ts';
import { parseExactly } from '../json/exactJson.ts';
import { deepestJson, nestsTooDeep } from '../json/jsonDepth.ts';
import { isJsonObject } from '../json/jsonObject.ts';
import { jsonMembers } from '../json/jsonMembers.ts';
import { jsonMistake } from '../json/jsonMistake.ts';
import { compactJson } from '../json/jsonText.ts';
import { inputsSchema, type PayloadInput } from '../payloads/payloadInputs.ts';
import type { Query } from './runUrl.ts';
import { t } from '../text/l10n.ts';
import { UserError } from '../text/userError.ts';
import { valueProblem } from '../text/valueProblem.ts';

/** The key of a payload document that holds the settings of the call; it is not sent to the app. */
export const settingsKey = '$runhook';

/** A number that a double cannot hold becomes the text of its digits. */
const digits = v.pipe(
  v.custom<object>((value) => JSON.isRawJSON(value)),
  v.transform((raw) => JSON.stringify(raw)),
);
const queryValue = v.union([v.string(), v.number(), v.boolean(), digits]);

const settingsSchema = v.pipe(
  v.custom<Record<string, unknown>>(isJsonObject),
  v.strictObject({
    /** Over the name of the folder that a file of the workspace is in. */
    app: v.exactOptional(v.string()),
    project: v.exactOptional(v.string()),
    inputs: v.exactOptional(inputsSchema),
    path: v.exactOptional(v.string()),
    method: v.exactOptional(v.string()),
    headers: v.exactOptional(v.record(v.string(), v.string())),
    query: v.exactOptional(v.record(v.string(), v.union([queryValue, v.array(queryValue)]))),
    webhook: v.exactOptional(v.union([v.boolean(), v.string()])),
    body: v.exactOptional(v.unknown()),
  }),
);

/** How an app is called, according to the settings block of a payload document. */
export interface Payload {
  /** The app's name and the id of its project, where the document says them. */
  app?: string;
  project?: string;
  inputs?: readonly PayloadInput[];
  /** What follows the app's name. */
  path: string;
  /** The query of the settings block. */
  query?: Query;
  method: string;
  headers: Record<string, string>;
  /** `true`: the listener; a text: that address. Undefined where the document does not say. */
  webhook: boolean | string | undefined;
  /** JSON text; undefined where the method has no body and the document has none to send. */
  body: string | undefined;
}

/**
 * Reads a payload document: JSON, with or without comments, with the settings block taken out.
 * Without a block and comments the body is the document's own text, byte for byte.
 * @throws UserError where it is not JSON, or the block does not fit
 */
export function readPayload(text: string): Payload {
  const bare = plainPayload(text);
  const document = parseDocument(bare);
  const block = isJsonObject(document) ? document[settingsKey] : undefined;
  const read = v.safeParse(settingsSchema, block ?? {});
  if (!read.success) {
    const [issue] = read.issues;
    throw new UserError(
      t('"{0}" of the payload does not fit: {1}', settingsKey, valueProblem(issue, settingsKey)),
    );
  }
  const settings = read.output;
  const { app, project, inputs } = settings;
  const method = (settings.method ?? 'POST').toUpperCase();
  return {
    ...(app !== undefined && { app }),
    ...(project !== undefined && { project }),
    ...(inputs && { inputs }),
    path: settings.path ?? 'run',
    ...(settings.query && { query: settings.query }),
    method,
    headers: settings.headers ?? {},
    webhook: settings.webhook,
    body: bodyOf(block === undefined ? wholeBody(text, bare) : withoutBlock(bare), method),
  };
}

/** The JSON of a document, without its comments. */
export function plainPayload(text: string): string {
  return plainJson(text.replace(/^\uFEFF/, ''));
}

function parseDocument(text: string): unknown {
  if (nestsTooDeep(text)) {
    throw new UserError(t('The payload is nested more than {0} levels deep. Make it flatter.', deepestJson));
  }
  try {
    return parseExactly(text);
  } catch (error) {
    throw new UserError(t('The payload is not JSON: {0}', jsonMistake(text)), { cause: error });
  }
}

/** The document as written; compacted if it had comments or trailing commas. */
function wholeBody(text: string, plain: string): string {
  return text.endsWith(plain) ? plain : compactJson(plain);
}

function bodyOf(text: string, method: string): string | undefined {
  const bodiless = method === 'GET' || method === 'HEAD';
  return bodiless && /^\s*\{\s*\}\s*$/.test(text) ? undefined : text;
}

/** The document without its block, or the block's own `body`: its tokens as they are written, without white space. */
function withoutBlock(text: string): string {
  const members = jsonMembers(text);
  const block = members.findLast(({ key }) => key === settingsKey)?.value ?? '';
  const body = jsonMembers(block).findLast(({ key }) => key === 'body');
  if (body !== undefined) return compactJson(body.value);
  const rest = members.filter(({ key }) => key !== settingsKey).map(({ text: one }) => one);
  return compactJson(`{${rest.join(',')}}`);
}
