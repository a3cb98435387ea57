import { STATUS_CODES } from 'node:http';
import { isJsonObject, type JsonObject } from '../shared/json/jsonObject.ts';
import { withoutEntities } from '../shared/text/htmlText.ts';

/** The fields in which services put the error message, best first. */
const messageFields = ['message', 'msg', 'defaultmessage', 'error', 'detail', 'reason', 'description'];

/** What says no more than the status does: the reason may stand in a field beside it. */
const statusTexts: ReadonlySet<string> = new Set(
  Object.values(STATUS_CODES).map((text = '') => text.toLowerCase()),
);

/** The fields in which they list what is wrong with each value, as a list or by the name of the value. */
const listFields = [
  'errors',
  'issues',
  'fielderrors',
  'formerrors',
  'details',
  'invalid-params',
  'properties',
];

/** The fields of an entry of such a list that say which value it is about, best first. */
const placeFields = [
  'loc',
  'path',
  'field',
  'param',
  'property',
  'instancepath',
  'pointer',
  'source',
  'name',
];

/** The first parts of a place that say where in the request the value stands, not which it is. */
const requestParts: ReadonlySet<unknown> = new Set(['body', 'query', 'header', 'data', 'attributes']);

const deepest = 5;
/** How many entries of a list are read: the message is cut anyway. */
const mostEntries = 20;

/**
 * What an error body says, as frameworks write it: the message, and what is wrong with which field, as FastAPI,
 * Laravel, Zod and others list it. Undefined if it is in none of the known places.
 */
export function errorMessage(body: unknown): string | undefined {
  return typeof body === 'string' ? undefined : (textIn(body, 0) ?? ofFields(body, 0));
}

/** How much of an HTML page is read, in characters. */
const readHtml = 64 * 1024;

/** Elements whose text nobody reads. */
const unreadTags: readonly string[] = ['script', 'style', 'template'];

/** Elements in the middle of a line. */
const inlineTags: readonly string[] = [
  'a',
  'b',
  'code',
  'em',
  'i',
  'kbd',
  'small',
  'span',
  'strong',
  'tt',
  'u',
];

/** What an HTML page says, as text without its markup: its title, and its lines. Undefined for any other text. */
export function pageText(html: string): string | undefined {
  if (!/^\s*<(!doctype|html|head|title|body)\b/i.test(html)) return undefined;
  let [text, unread] = ['', ''];
  for (const piece of html.slice(0, readHtml).trimStart().slice(1).split('<')) {
    const [tag, close = '', name = ''] = /^(\/?)([a-z][a-z\d]*|!)/i.exec(piece.toLowerCase()) ?? [];
    if (unread !== '' && (close === '' || name !== unread)) continue;
    unread = close === '' && unreadTags.includes(name) ? name : '';
    if (unread !== '') continue;
    if (tag === undefined) text += `<${piece}`;
    else text += `${inlineTags.includes(name) ? '' : '\n'}${piece.slice(piece.indexOf('>') + 1)}`;
  }
  const lines = withoutEntities(text).split('\n');
  const said = lines.map((line) => line.replaceAll(/\s+/g, ' ').trim()).filter((line) => line !== '');
  return said.length === 0 ? undefined : said.join('\n');
}

/**
 * What an HTML page of a proxy or a framework says first: its title, or what follows where that is the one of every error
 * of Express. Undefined for any other text.
 */
export function htmlTitle(html: string): string | undefined {
  return pageText(html)
    ?.split('\n')
    .find((line) => !/^error$/i.test(line));
}

/**
 * Whether the message of a 403 says that the token lacks a right, so that a new one of its account would not help. One
 * that speaks of the token itself does not say that.
 */
export function deniesAccess(message: string): boolean {
  if (/\b(expired|revoked|invalid|not valid|unknown)\b/i.test(message)) return false;
  return [
    /\b(no|not|lacks?|without|insufficient|missing|denied|requires?)\b[^.]{0,40}\b(access|permissions?|privileges?|scopes?|roles?|rights?|authori[sz]ed|allowed)\b/i,
    /\b(access|permissions?)\b[^.]{0,20}\b(denied|required|missing)\b/i,
    /\btoken (may|can) ?not\b/i,
  ].some((pattern) => pattern.test(message));
}

function textIn(value: unknown, depth: number): string | undefined {
  if (typeof value === 'string') return ofText(value, depth);
  if (depth > deepest) return undefined;
  if (Array.isArray(value))
    return joined(value.slice(0, mostEntries).map((one) => entryText(one, depth + 1)));
  if (!isJsonObject(value)) return undefined;
  const messages = messageFields.flatMap((name) => textIn(fieldOf(value, name), depth + 1) ?? []);
  const message = messages.find((text) => !statusTexts.has(text.trim().toLowerCase())) ?? messages[0];
  const lists = listFields.flatMap((name) => {
    const found = fieldOf(value, name);
    return [textIn(found, depth + 1) ?? ofFields(found, depth + 1)];
  });
  return joined([message, ...lists]);
}

/** A message may be the JSON of a list, as that of Zod is. */
function ofText(text: string, depth: number): string | undefined {
  if (text.trim() === '') return undefined;
  if (depth <= deepest && /^\s*[[{]/.test(text)) {
    try {
      const read: unknown = JSON.parse(text);
      return textIn(read, depth + 1) ?? text;
    } catch {
      return text;
    }
  }
  return text;
}

/** An entry of a list, with the value that it is about. */
function entryText(entry: unknown, depth: number): string | undefined {
  const text = textIn(entry, depth);
  if (text === undefined || !isJsonObject(entry)) return text;
  const place = firstOf(entry, placeFields, placeText);
  return place === undefined || text.includes(place) ? text : `${place}: ${text}`;
}

/** What is wrong by the name of the value: `{cpu: ["is too large"]}`. */
function ofFields(value: unknown, depth: number): string | undefined {
  if (!isJsonObject(value) || depth > deepest) return undefined;
  return joined(
    Object.entries(value)
      .slice(0, mostEntries)
      .map(([name, found]) => {
        const isText = typeof found === 'string';
        const isMessage = Array.isArray(found) || isJsonObject(found) || (depth > 0 && isText);
        const inner = isJsonObject(found) ? fieldOf(found, '_errors') : found;
        const read = textIn(inner, depth + 1) ?? textIn(found, depth + 1) ?? ofFields(found, depth + 1);
        const text = isMessage ? read : undefined;
        const isNamed = text?.includes(name) === true || /^_|^error$|^detail$/.test(name);
        return text === undefined || isNamed ? text : `${name}: ${text}`;
      }),
  );
}

/** `body.cpu` of a list of parts, a path or a pointer: without the parts that say where it stands in the request. */
function placeText(place: unknown): string | undefined {
  if (isJsonObject(place)) return firstOf(place, ['pointer', 'parameter'], placeText);
  const parts: unknown[] = typeof place === 'string' ? place.split('/') : Array.isArray(place) ? place : [];
  const named = parts.filter((part) => part !== '' && (typeof part === 'string' || typeof part === 'number'));
  const first = named.findIndex((part) => !requestParts.has(part));
  return first < 0 ? undefined : named.slice(first).join('.');
}

function fieldOf(object: JsonObject, field: string): unknown {
  return Object.entries(object).find(([name]) => name.toLowerCase() === field)?.[1];
}

function firstOf(
  object: JsonObject,
  names: readonly string[],
  read: (value: unknown) => string | undefined,
): string | undefined {
  for (const name of names) {
    const found = read(fieldOf(object, name));
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The texts, each once: one that another has in it goes without saying. */
function joined(texts: readonly (string | undefined)[]): string | undefined {
  let all: string[] = [];
  for (const text of texts) {
    if (text === undefined || all.some((one) => one.includes(text))) continue;
    all = [...all.filter((one) => !text.includes(one)), text];
  }
  const last = all.pop();
  return last && [...all.map((text) => text.replace(/[.;]$/, '')), last].join('; ');
}
