import { agePattern, headerName, statusPattern, verdicts } from '../../contract/values.ts';
import { type Verdict } from '../../contract/delivery.ts';
import { all, type DeliveryFilter } from '../deliveryFilter.ts';
import { t } from '../../shared/text/l10n.ts';

/** The keys of a query, besides `flags`. */
export const findKeys = ['app', 'run', 'verdict', 'made', 'status', 'header', 'since'] as const;
export type FindKey = (typeof findKeys)[number];

/** The words that say something by themselves. */
export const flags = ['failed', 'refused'] as const;

/** The maximum number of words that are read. Nobody types a longer query. */
const mostWords = 20;

/** A parsed query. */
export interface FindQuery {
  filter: DeliveryFilter;
  /** What is wrong with a word, for the user. Such a word does not narrow the result. */
  problem?: string;
}

/** A word of a query: `key` where it begins with one, `value` without its quotes. */
export interface FindWord {
  key?: FindKey;
  value: string;
  isQuoted: boolean;
  /** Offsets of the word in the query, its key included. */
  start: number;
  end: number;
}

/** A filter whose lists grow while a query is read. */
interface Read {
  verdict: Verdict[];
  app: string[];
  run: string[];
  status: string[];
  header: { name: string; value?: string }[];
  text: string[];
  made?: 'here';
  failed?: true;
  refused?: true;
  since?: string;
}

/**
 * Parses a query that the user typed; never throws. The words are combined, as in a search on GitHub (see
 * `DeliveryFilter`), and quoted text is one word. An unknown key before a colon is text: bodies are full of them.
 */
export function parseFind(query: string): FindQuery {
  const read: Read = { verdict: [], app: [], run: [], status: [], header: [], text: [] };
  const words = wordsOf(query);
  const problems = words.slice(0, mostWords).map((word) => addWord(word, read));
  if (words.length > mostWords) problems.push(t('A filter has at most {0} words.', mostWords));
  const [problem] = problems.filter((one) => one !== undefined);
  const { made, failed, refused, since, ...lists } = read;
  const asked = Object.entries(lists).filter(([, list]) => list.length > 0);
  const filter: DeliveryFilter = {
    ...Object.fromEntries(asked.map(([key, list]) => [key, list.length === 1 ? list[0] : list])),
    ...(made && { made }),
    ...(failed && { failed }),
    ...(refused && { refused }),
    ...(since !== undefined && { since }),
  };
  return { filter, ...(problem !== undefined && { problem }) };
}

/** The query text of a filter. */
export function printFind(filter: DeliveryFilter): string {
  const { verdict, made, app, run, status, header, since, text } = filter;
  const keyed = (key: FindKey, values: readonly string[]) => values.map((value) => `${key}:${quoted(value)}`);
  return [
    ...keyed('verdict', all(verdict)),
    ...keyed('made', all(made)),
    ...keyed('app', all(app)),
    ...keyed('run', all(run)),
    ...keyed('status', all(status)),
    ...all(header).map(
      ({ name, value }) => `header:${name}${value === undefined ? '' : `=${quoted(value)}`}`,
    ),
    ...flags.filter((one) => filter[one] === true),
    ...keyed('since', all(since)),
    ...all(text).map((one) => (isPlain(one) ? quoted(one) : inQuotes(one))),
  ].join(' ');
}

/** The words of a query, in their order. */
export function wordsOf(text: string): FindWord[] {
  const words: FindWord[] = [];
  for (let at = spaceEnd(text, 0); at < text.length && words.length <= mostWords;) {
    const key = findKeys.find((one) => text.slice(at, at + one.length + 1).toLowerCase() === `${one}:`);
    const start = at;
    if (key !== undefined) at += key.length + 1;
    if (key === 'header') at += headerPart(text, at);
    const named = text.slice(start + (key === undefined ? 0 : key.length + 1), at);
    const isQuoted = text[at] === '"';
    const end = isQuoted ? quoteEnd(text, at) : wordEnd(text, at);
    const value = named + (isQuoted ? unquoted(text.slice(at, end)) : text.slice(at, end));
    words.push({ value, isQuoted, start, end, ...(key !== undefined && { key }) });
    at = spaceEnd(text, end);
  }
  return words;
}

/** Adds a word to the filter. @returns what is wrong with the word */
function addWord({ key, value, isQuoted }: FindWord, read: Read): string | undefined {
  if (key === undefined) {
    const flag = flags.find((one) => one === value.toLowerCase());
    if (!isQuoted && flag !== undefined) read[flag] = true;
    else if (value !== '') read.text.push(value);
    return undefined;
  }
  if (value === '') return t('Enter a value after {0}.', `${key}:`);
  switch (key) {
    case 'app':
    case 'run':
      read[key].push(value);
      return undefined;
    case 'verdict': {
      const verdict = verdicts.find((one) => one === value.toLowerCase());
      if (verdict === undefined) return t('A verdict is one of {0}.', verdicts.join(', '));
      read.verdict.push(verdict);
      return undefined;
    }
    case 'made':
      if (value.toLowerCase() !== 'here') return t('It can only be {0}.', 'made:here');
      read.made = 'here';
      return undefined;
    case 'status':
      if (!statusPattern.test(value.toLowerCase()))
        return t('Enter a status such as {0} or {1}.', '500', '5xx');
      read.status.push(value.toLowerCase());
      return undefined;
    case 'since':
      if (!agePattern.test(value.toLowerCase())) return t('Enter a time such as {0} or {1}.', '15m', '1h');
      read.since = value.toLowerCase();
      return undefined;
    case 'header': {
      const [, name = '', sought = ''] = /^([^=:]*)[=:]?([^]*)$/.exec(value) ?? [];
      if (!headerName.test(name))
        return t('Enter a header such as {0} or {1}.', 'x-request-id', 'x-request-id=value');
      read.header.push({ name: name.toLowerCase(), ...(sought !== '' && { value: sought }) });
      return undefined;
    }
  }
}

/** The length of a header's name and the separator before a quoted value; 0 if the value is not quoted. */
function headerPart(text: string, at: number): number {
  return /^[^\s"=:]+[=:](?=")/.exec(text.slice(at))?.[0].length ?? 0;
}

/** The offset after the closing quote, which white space or the end follows. Others are text: `"run_id":"r-1"`. */
function quoteEnd(text: string, from: number): number {
  for (let at = from + 1; at < text.length; at += 1) {
    if (text[at] === '\\') at += 1;
    else if (text[at] === '"' && (at + 1 === text.length || /\s/u.test(text.charAt(at + 1)))) return at + 1;
  }
  return text.length;
}

function unquoted(text: string): string {
  const isClosed = text.length > 1 && text.endsWith('"') && quoteEnd(`${text} `, 0) === text.length;
  return text.slice(1, isClosed ? -1 : undefined).replaceAll(/\\(["\\])/g, '$1');
}

function wordEnd(text: string, from: number): number {
  const length = text.slice(from).search(/\s/u);
  return length < 0 ? text.length : from + length;
}

function spaceEnd(text: string, from: number): number {
  const length = text.slice(from).search(/\S/u);
  return length < 0 ? text.length : from + length;
}

/** A value as one word of a query, in quotes if necessary. */
export function quoted(value: string): string {
  return /\s/u.test(value) || value.startsWith('"') || value === '' ? inQuotes(value) : value;
}

function inQuotes(text: string): string {
  return `"${text.replaceAll(/["\\]/g, '\\$&')}"`;
}

/** Whether a text without quotes is read as text, and not as a key or a flag. */
function isPlain(text: string): boolean {
  const lower = text.toLowerCase();
  return !flags.some((one) => one === lower) && !findKeys.some((key) => lower.startsWith(`${key}:`));
}
