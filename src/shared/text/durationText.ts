import { oneDecimal, t } from './l10n.ts';

/** `412 ms`, `2.1 s`, `3 min 20 s`. */
export function durationText(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${oneDecimal(ms / 1000)} s`;
  const seconds = Math.round(ms / 1000);
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

/** How long a time is: `34 s`, `28 min`, `5 h`, `3 days`. */
export function spanText(ms: number): string {
  if (ms < 60_000) return t('{0} s', Math.ceil(ms / 1000));
  const minutes = Math.round(ms / 60_000);
  if (minutes < 120) return t('{0} min', minutes);
  const hours = Math.round(minutes / 60);
  return hours < 48 ? t('{0} h', hours) : t('{0} days', Math.round(hours / 24));
}

/** How long to wait, never shorter than it is: `30 s`, `60 min`. */
export function waitText(ms: number): string {
  return ms < 120_000 ? t('{0} s', Math.ceil(ms / 1000)) : spanText(ms);
}

/** The age of a row: `now`, `2 min`, `5 h`. @param ms since then */
export function ageText(ms: number): string {
  return ms < 60_000 ? t('now') : pastText(ms);
}

/** How long ago something was, cut as the age of a row is: `20 s`, `2 min`, `5 h`. @param ms since then */
export function pastText(ms: number): string {
  return spanText(ms < 60_000 ? ms : wholeMinutes(ms));
}

/** An age is cut, and not rounded: so the same one is the same wherever it is told. @param ms and its return value */
function wholeMinutes(ms: number): number {
  return ms - (ms % 60_000);
}

/** Local time with milliseconds, where the order matters: `13:44:46.203`. */
export function clockTime(date: Date): string {
  return `${timeOfDay(date)}.${date.getMilliseconds().toString().padStart(3, '0')}`;
}

/** When to try again: the time, which stays true while it is read; where that is a day or more away, in how many days. */
export function tryAgainText(until: number, now: number): string {
  return until - now < 24 * 60 * 60 * 1000
    ? t('Try again at {0}.', endTimeOfDay(until))
    : t('Try again in {0}.', spanText(until - now));
}

/** On the clock of the rows, when something is over. Never too early: it is read in whole seconds. */
export function endTimeOfDay(at: number): string {
  return timeOfDay(new Date(at + 999));
}

/** Local time with seconds. Rows, tabs, output and timeline have the same clock, of 24 hours: `13:44:46`. */
export function timeOfDay(date: Date): string {
  const parts = [date.getHours(), date.getMinutes(), date.getSeconds()];
  return parts.map((part) => part.toString().padStart(2, '0')).join(':');
}
