import type { FailedAt, FailurePlace } from '../../contract/delivery.ts';
import { isSuccess } from '../../shared/http/isSuccess.ts';

/** An attempt to hand a delivery to a handler. Times are Unix milliseconds. */
export interface Sending {
  from: number;
  /** When its response was there; undefined while it is under way. */
  to?: number;
  /** The status of the response; absent if there was none, or none yet. */
  status?: number;
}

/** A failure that a program has told. */
export interface SeenFailure {
  at: number;
  place: FailurePlace;
  /** Which program told it. */
  source: unknown;
}

/** How long after its response a handler may still tell of it: many frameworks answer first, and log then. */
export const lateMs = 1000;
/** How soon nearly all of them do. */
const soonMs = 250;
/** By how much the clocks of two programs on one machine may differ. */
const slackMs = 20;
/** How many lines are told of those that come into question. */
const mostPlaces = 5;

/**
 * Where an attempt failed. Two deliveries that are under way at once never get each other's line: if it cannot be told
 * whose failure it was, the result has `oneOf`.
 * @param others the attempts besides this one
 */
export function failedAt(
  attempt: Sending & { to: number },
  others: readonly Sending[],
  seen: readonly SeenFailure[],
): FailedAt | undefined {
  const rivalsOf = (one: SeenFailure): Sending[] => others.filter((other) => isRival(one, other, attempt));
  const mine = seen.filter((one) => mayBeOf(one, attempt));
  const isSure = (one: SeenFailure): boolean => rivalsOf(one).length === 0;
  // What is told after the response is rather of those that are still under way.
  const early = mine.filter((one) => one.at <= attempt.to + slackMs || isSure(one));
  const told = early.length > 0 ? early : mine;
  const last = told.at(-1)?.place;
  if (last === undefined) return undefined;
  const places = [...new Map(told.map(({ place }) => [`${place.file}:${place.line}`, place])).values()];
  const isOfOne = new Set(told.map(({ source }) => source)).size === 1;
  if (isOfOne && told.every(isSure)) return last;
  const rivals = new Set(told.flatMap(rivalsOf));
  const all = seen.filter((one) => mayBeOf(one, attempt) || [...rivals].some((rival) => mayBeOf(one, rival)));
  const failAlike = [...rivals].every(({ status }) => status === attempt.status);
  const isEverywhereHere = all.every(({ place }) => place.file === last.file && place.line === last.line);
  if (isEverywhereHere && failAlike && all.length > rivals.size) return last;
  return { ...last, oneOf: places.slice(-mostPlaces) };
}

function mayBeOf({ at }: SeenFailure, { from, to, status = 0 }: Sending): boolean {
  // What was taken may have told of an error, but not later than that.
  const last = to === undefined ? Infinity : to + (isSuccess(status) ? slackMs : lateMs);
  return at >= from - slackMs && at <= last;
}

/** Whether a failure may rather be that of another attempt than of one that is under way by then. */
function isRival(one: SeenFailure, other: Sending, attempt: { to: number }): boolean {
  const isOver = other.to !== undefined && one.at > other.to + soonMs;
  return mayBeOf(one, other) && !(isOver && one.at <= attempt.to);
}
