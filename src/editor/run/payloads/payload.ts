import * as v from 'valibot';
import { deepestJson, nestsTooDeep, plainJson } from '../../../shared/json/jsonScanner.ts';
import { parseExactly, parsed } from '../../../shared/json/exactJson.ts';
import { isJsonObject } from '../../../shared/json/jsonObject.ts';
import { jsonMembers } from '../../../shared/json/jsonPlaces.ts';
import { jsonMistake } from '../../../shared/json/jsonMistake.ts';
import { compactJson, prettyJson } from '../../../shared/json/jsonText.ts';
import type { Query } from '../../../service/runs/runUrl.ts';
import { t } from '../../../shared/text/l10n.ts';
import { UserError } from '../../../shared/text/userError.ts';
import { valueProblem } from '../../../shared/text/valueProblem.ts';
import type { RunInput } from '../../../service/runs/run.ts';
import { visit } from 'jsonc-parser';
import { plainText } from '../../../shared/text/plainText.ts';

const text = v.string();

/** The inputs that `${input:ID}` in a payload refers to, in the format of VS Code's files. None runs a command. */
const inputSchemas = {
  promptString: v.strictObject({
    id: text,
    type: v.literal('promptString'),
    description: v.exactOptional(text),
    default: v.exactOptional(text),
    password: v.exactOptional(v.boolean()),
  }),
  pickString: v.strictObject({
    id: text,
    type: v.literal('pickString'),
    description: v.exactOptional(text),
    default: v.exactOptional(text),
    options: v.pipe(
      v.array(v.union([text, v.strictObject({ label: text, value: text })])),
      v.nonEmpty(),
      v.maxLength(1000),
    ),
  }),
};

const inputsSchema = v.pipe(
  v.array(v.variant('type', [inputSchemas.promptString, inputSchemas.pickString])),
  v.maxLength(100),
);

export type PayloadInput = v.InferOutput<typeof inputsSchema>[number];

/** One option of a pick input. */
interface InputOption {
  label: string;
  value: string;
}

export function optionsOf({ options }: PayloadInput & { type: 'pickString' }): InputOption[] {
  return options.map((one) => (typeof one === 'string' ? { label: one, value: one } : one));
}

/** @throws UserError if none of the payload's inputs has that id */
export function inputOf(id: string, inputs: readonly PayloadInput[] = []): PayloadInput {
  const found = inputs.find((one) => one.id === id);
  if (found !== undefined) return found;
  throw new UserError(
    t('The payload uses {0}, but "{2}" has no input "{1}".', `\${input:${id}}`, id, '$runhook.inputs'),
  );
}

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
      t('"{0}" in the payload is not valid: {1}', settingsKey, valueProblem(issue, settingsKey)),
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
    throw new UserError(t('The payload is nested more than {0} levels deep. Flatten it.', deepestJson));
  }
  try {
    return parseExactly(text);
  } catch (error) {
    throw new UserError(t('The payload is not JSON. {0}', jsonMistake(text)), { cause: error });
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

/** What a run sent, as a payload document. Each value of the body stays as written. */
export function payloadText({ path, query, method, headers, body }: RunInput): string {
  const block = {
    ...(path !== 'run' && { path }),
    ...(method !== 'POST' && { method }),
    ...(query && { query }),
    ...(Object.keys(headers).length > 0 && { headers }),
  };
  const settings = JSON.stringify(block);
  const value = body === undefined ? {} : parsed(body);
  const hasBlock = isJsonObject(value) && settingsKey in value;
  if (Object.keys(block).length === 0 && !hasBlock) return (body && prettyJson(body)) ?? body ?? '{}';
  const members = jsonMembers(body ?? '{}').map((one) => one.text);
  const text =
    isJsonObject(value) && !hasBlock
      ? `{${[`"${settingsKey}":${settings}`, ...members].join(',')}}`
      : `{"${settingsKey}":${settings.slice(0, -1)}${settings === '{}' ? '' : ','}"body":${body}}}`;
  return prettyJson(text) ?? text;
}

/** The app and project that a payload says it is for. */
export interface PayloadAddress {
  app?: string;
  project?: string;
}

/** Reads the app and project of a document, even if its other settings are not valid. Empty if it is not JSON. */
export function payloadAddress(text: string): PayloadAddress {
  // Most documents name neither, and need not be parsed.
  if (!text.includes('runhook')) return {};
  const plain = plainJson(text.replace(/^\uFEFF/, ''));
  if (nestsTooDeep(plain)) return {};
  try {
    const document: unknown = JSON.parse(plain);
    const block = isJsonObject(document) ? document.$runhook : undefined;
    const { app, project } = isJsonObject(block) ? block : {};
    return { ...(typeof app === 'string' && { app }), ...(typeof project === 'string' && { project }) };
  } catch {
    return {};
  }
}

type VariableKind = 'env' | 'input' | 'workspaceFolder' | 'workspaceFolderBasename';

/** A placeholder in a string of a payload. */
export interface PayloadVariable {
  kind: VariableKind;
  /** The name of the environment variable, or the id of the input; empty for a folder. */
  name: string;
  /** The path of its string in the document, such as `$runhook.headers.X-Key`. Each string has another. */
  place: string;
}

/** A JSON string that contains variables, with its offsets. */
interface FilledText {
  start: number;
  end: number;
  value: string;
  place: string;
}

/** A variable. A second `$` in front escapes it, so that it is meant literally. */
const variable = /(\$?)\$\{(?:(env|input):([^{}]*)|(workspaceFolder|workspaceFolderBasename))\}/g;

/** Keys of the settings block that describe the payload, not the call. Variables in them are not filled. */
const unfilledKeys = new Set(['app', 'project', 'inputs']);

/** The variables of a payload, in document order. @param text JSON, nested at most 500 levels deep */
export function variablesIn(text: string): PayloadVariable[] {
  const found: PayloadVariable[] = [];
  for (const { value, place } of filledTexts(text)) {
    for (const one of value.matchAll(variable)) {
      const read = readVariable(one, place);
      if (read !== undefined) found.push(read);
    }
  }
  return found;
}

/**
 * Replaces the variables of a payload with their values. Each value is put inside its JSON string, which stays one
 * string whatever the value is; every other character stays.
 * @param valueOf throws if there is no value
 */
export function fillVariables(text: string, valueOf: (asked: PayloadVariable) => string): string {
  const parts: string[] = [];
  let end = 0;
  for (const found of filledTexts(text)) {
    const filled = found.value.replace(variable, (...match: (string | undefined)[]) => {
      const read = readVariable(match.slice(0, 5), found.place);
      // Drops the escaping `$`.
      return read === undefined ? (match[0] ?? '').slice(1) : valueOf(read);
    });
    parts.push(text.slice(end, found.start), JSON.stringify(filled));
    end = found.end;
  }
  return [...parts, text.slice(end)].join('');
}

/** The strings of the document that contain variables. Property names are not included. */
function filledTexts(text: string): FilledText[] {
  const found: FilledText[] = [];
  if (!text.includes('{')) return found;
  visit(text, {
    onLiteralValue: (value, start, length, _line, _column, pathOf) => {
      if (typeof value !== 'string' || value.search(variable) < 0) return;
      const path = pathOf();
      const [block, key] = path;
      if (block === '$runhook' && unfilledKeys.has(String(key))) return;
      found.push({ start, end: start + length, value, place: placeText(path) });
    },
  });
  return found;
}

/** Names with dots and the like are quoted, so that no two paths have the same text. */
function placeText(path: readonly (string | number)[]): string {
  return path.map((part) => (/^[\w$-]+$/.test(String(part)) ? part : JSON.stringify(part))).join('.');
}

/** Undefined for an escaped variable, which is meant literally. */
function readVariable(match: readonly (string | undefined)[], place: string): PayloadVariable | undefined {
  const [whole = '', doubled, kind, name = '', folder] = match;
  if (doubled === '$') return undefined;
  if (kind !== undefined && name.trim() === '') {
    throw new UserError(t('{0} in the payload has no name after the colon.', plainText(whole)));
  }
  return { kind: (kind ?? folder) as VariableKind, name, place };
}

/** The environment, and what must not be read from it. */
interface EnvironmentParts {
  environment: Readonly<Record<string, unknown>>;
  /** The variables that Runhook sets in terminals, besides those that begin with its name. */
  handedOut: readonly string[];
  /** Every token and webhook secret that Runhook holds. */
  held: readonly string[];
}

/** A shorter secret, in characters, may be an everyday word that a value contains by chance. */
const shortest = 4;

/**
 * Reads an environment variable for a payload.
 * @throws UserError if it is not set, is one of Runhook's own, or contains a token or secret that Runhook holds
 */
export function readEnvironment(name: string, { environment, handedOut, held }: EnvironmentParts): string {
  const shown = plainText(`\${env:${name}}`);
  const isOurs = /^runhook_/i.test(name) || handedOut.some((one) => isSameName(one, name));
  const value = environment[name];
  // guard S55: No token and no secret of Runhook is read, under whatever name.
  if (isOurs || (typeof value === 'string' && holds(value, held))) {
    throw new UserError(t('{0} is not read: a payload cannot use the tokens and secrets of Runhook.', shown));
  }
  // Inherited members, such as `toString`, are not variables.
  if (typeof value !== 'string') {
    throw new UserError(t('{0} is not set in the environment of the editor.', shown));
  }
  return value;
}

function holds(value: string, held: readonly string[]): boolean {
  return held.some((one) => one.length >= shortest && value.includes(one));
}

/** Ignores case, as some systems do. */
function isSameName(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}
