import type { Verdict } from '../../contract/delivery.ts';
import { madeHereText } from '../verdictText.ts';
import { t } from '../../shared/text/l10n.ts';
import { type FindKey, findKeys, type FindWord, flags, quoted, wordsOf } from './findQuery.ts';

/** Values that occur in the kept deliveries. */
export interface SeenInDeliveries {
  apps: readonly string[];
  /** The names of headers, in lower case. */
  headers: readonly string[];
}

/** One completion of the word that is being typed. */
export interface FindCompletion {
  /** The completed word. */
  word: string;
  meaning: string;
  /** The whole query with the completed word. */
  query: string;
}

/** The maximum number of apps or headers that are offered. */
const mostOffered = 20;

const ages = {
  '15m': () => t('the last 15 minutes'),
  '1h': () => t('the last hour'),
  '1d': () => t('the last day'),
};
const statuses = {
  '2xx': () => t('your handler accepted it'),
  '4xx': () => t('your handler returned 4xx'),
  '5xx': () => t('your handler returned 5xx'),
};

const verdictMeanings: Record<Verdict, () => string> = {
  verified: () => t('the signature matches'),
  unsigned: () => t('it has no signature'),
  mismatch: () => t('the signature does not match'),
  stale: () => t('the timestamp is out of range'),
  malformed: () => t('the signature headers cannot be read'),
  'no-secret': () => t('no webhook secret was set'),
};

/** Completions of the last word of a query: keys, or the values of its key. */
export function findCompletions(query: string, seen: SeenInDeliveries): FindCompletion[] {
  const last = wordsOf(query).at(-1);
  const currentWord: FindWord =
    last?.end === query.length
      ? last
      : { value: '', isQuoted: false, start: query.length, end: query.length };
  const { key, value, isQuoted, start } = currentWord;
  const typed = value.toLowerCase();
  const fits = (one: string): boolean => one.toLowerCase().startsWith(typed);
  const isNew = (one: string): boolean => fits(one) && one !== value;
  const before = query.slice(0, start);
  const complete = (word: string, meaning: string): FindCompletion => ({
    word,
    meaning,
    query: `${before}${word}${word.endsWith(':') ? '' : ' '}`,
  });
  const valuesOf = (of: FindKey): FindCompletion[] =>
    values(of, seen)
      .filter(([one]) => (key === undefined ? fits(one) : isNew(one)))
      .slice(0, mostOffered)
      .map(([one, meaning]) => complete(`${of}:${quoted(one)}`, meaning));
  if (key !== undefined) return valuesOf(key);
  if (isQuoted) return [];
  const keys = [...findKeys.map((one) => `${one}:` as const), ...flags].filter(isNew);
  const named = keys.map((one) => complete(one, meaningOf(one)));
  // The name of an app, or a verdict, can be typed without its key.
  return value === '' ? named : [...named, ...valuesOf('app'), ...valuesOf('verdict')];
}

/** The values of a key, each with its meaning. */
function values(key: FindKey, { apps, headers }: SeenInDeliveries): (readonly [string, string])[] {
  switch (key) {
    case 'app':
      return apps.map((app) => [app, t('app')]);
    case 'verdict':
      return Object.entries(verdictMeanings).map(([verdict, meaning]) => [verdict, meaning()]);
    case 'made':
      return [['here', madeHereText()]];
    case 'status':
      return Object.entries(statuses).map(([status, meaning]) => [status, meaning()]);
    case 'since':
      return Object.entries(ages).map(([age, meaning]) => [age, meaning()]);
    case 'header':
      return headers.map((name) => [name, t('header')]);
    // Nobody knows run ids by heart.
    case 'run':
      return [];
  }
}

function meaningOf(word: `${FindKey}:` | (typeof flags)[number]): string {
  switch (word) {
    case 'app:':
      return t('the name of an app');
    case 'run:':
      return t('the start of a run id');
    case 'verdict:':
      return t('the result of verification');
    case 'made:':
      return t("made here from a run's response");
    case 'status:':
      return t('the status from your handler: 500 or 5xx');
    case 'header:':
      return t('a header, or name=value');
    case 'since:':
      return t('no older than 15m, 1h or 1d');
    case 'failed':
      return t('your handler did not accept it');
    case 'refused':
      return t('the listener refused it');
  }
}
