import { ageOf } from '../find/age.ts';
import { hasHeader, type HeaderTerm, headersHold } from '../find/headerSearch.ts';
import type { Delivery, Verdict } from './delivery.ts';
import { isTaken } from './forwardText.ts';

type OneOrMore<T> = T | readonly T[];

/** Which deliveries are shown; what is absent does not narrow. Of several apps, runs, statuses or verdicts any will do. */
export interface DeliveryFilter {
  verdict?: OneOrMore<Verdict>;
  /** The app's name. */
  app?: OneOrMore<string>;
  /** How the id of the run begins, in any case of its letters. */
  run?: OneOrMore<string>;
  /** What the app answered the last time: `500`, or `5xx`. */
  status?: OneOrMore<string>;
  /** Headers that were received; each of several has to be there. */
  header?: OneOrMore<HeaderTerm>;
  /** Whether the app did not take it the last time that it was handed over. */
  refused?: true;
  /** How long ago it came at most: `90s`, `15m`, `1h` or `1d`. */
  since?: string;
  /**
   * A text in the body, the headers, the path, the app or the run, in any case of its letters; each of several has to
   * be there. A body that is not UTF-8 holds no text, and the value of a header that lets somebody in is not looked at.
   */
  text?: OneOrMore<string>;
}

/** What is asked of one part of a filter, as a list. */
export function all<T>(asked: OneOrMore<T> | undefined): readonly T[] {
  return asked === undefined ? [] : ([asked].flat() as T[]);
}

export function isEmptyFilter(filter: DeliveryFilter): boolean {
  return Object.values(filter).every((asked) => all<unknown>(asked).length === 0);
}

/** @param now Unix milliseconds */
export function fitsFilter(delivery: Delivery, filter: DeliveryFilter, now: number): boolean {
  const { verdict, app, run, status, header, refused, since, text } = filter;
  const { appName, runId, headers, forward } = delivery;
  const statusText = forward?.status?.toString();
  const anyOf = <T>(asked: OneOrMore<T> | undefined, fits: (one: T) => boolean): boolean =>
    all(asked).length === 0 || all(asked).some(fits);
  return (
    anyOf(verdict, (one) => one === delivery.verdict) &&
    anyOf(app, (one) => one === appName) &&
    anyOf(run, (one) => runId?.toLowerCase().startsWith(one.toLowerCase()) === true) &&
    anyOf(status, (one) => statusText !== undefined && statusPattern(one).test(statusText)) &&
    (refused !== true || (forward !== undefined && !isTaken(forward))) &&
    (since === undefined || Date.parse(delivery.receivedAt) >= now - ageOf(since)) &&
    all(header).every((one) => hasHeader(headers, one)) &&
    all(text).every((one) => holdsText(delivery, one.toLowerCase()))
  );
}

function statusPattern(status: string): RegExp {
  return new RegExp(`^${status.replaceAll(/x/gi, '\\d')}$`);
}

/** @param text in lower case */
function holdsText({ path, runId, appName, headers, body, bodyEncoding }: Delivery, text: string): boolean {
  const texts = [path, runId, appName];
  if (bodyEncoding === undefined) texts.push(body);
  return texts.some((one) => one?.toLowerCase().includes(text)) || headersHold(headers, text);
}
