import { ageOf } from '../find/age.ts';
import { hasHeader, type HeaderTerm, headersHold } from '../find/headerSearch.ts';
import type { Delivery, Verdict } from './delivery.ts';
import { isTaken } from './forwardText.ts';

type OneOrMore<T> = T | readonly T[];

/** Which deliveries are shown. Absent fields do not narrow. Of several apps, runs, statuses or verdicts any fits. */
export interface DeliveryFilter {
  verdict?: OneOrMore<Verdict>;
  /** The app's name. */
  app?: OneOrMore<string>;
  /** The start of the run's id, case-insensitive. */
  run?: OneOrMore<string>;
  /** The status of the app's last answer: `500`, or `5xx`. */
  status?: OneOrMore<string>;
  /** Headers of the received request; all of several must match. */
  header?: OneOrMore<HeaderTerm>;
  /** Only deliveries that the app did not accept at the last attempt. */
  refused?: true;
  /** The maximum age: `90s`, `15m`, `1h` or `1d`. */
  since?: string;
  /**
   * A text in the body, the headers, the path, the app or the run, case-insensitive; all of several must be found.
   * Bodies that are not UTF-8 and values of headers that hold credentials are not searched (see `isSearchable`).
   */
  text?: OneOrMore<string>;
}

/** The values of one field of a filter, as a list. */
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
