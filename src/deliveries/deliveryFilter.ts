import type { HeaderTerm } from './find/headerSearch.ts';
import type { Verdict } from '../contract/delivery.ts';

type OneOrMore<T> = T | readonly T[];

/** Which deliveries are shown. Absent fields do not narrow. Of several apps, runs, statuses or verdicts any fits. */
export interface DeliveryFilter {
  verdict?: OneOrMore<Verdict>;
  /** Only deliveries that were made here from a run's response. Of those, `verdict: 'verified'` finds none. */
  made?: 'here';
  /** The app's name. */
  app?: OneOrMore<string>;
  /** The start of the run's id, case-insensitive. */
  run?: OneOrMore<string>;
  /** The status of the app's last answer: `500`, or `5xx`. */
  status?: OneOrMore<string>;
  /** Headers of the received request; all of several must match. */
  header?: OneOrMore<HeaderTerm>;
  /** Only deliveries that failed in your handler the last time. */
  failed?: true;
  /** Only deliveries that the listener refused. */
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
