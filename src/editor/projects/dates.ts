import { localeFormat } from '../kit/localeFormat.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
export const dayMs = 24 * hourMs;

type Unit = 'day' | 'hour' | 'minute';

/** Beyond this many days, a date says more than a number of days. */
const relativeDays = 60;

/** Dates in the editor's language. All times are milliseconds since 1970. */
export const dates = {
  /** `in 12 days`, `3 hours ago`, `now`. Never `tomorrow`: 47 hours are one whole day, and end the day after it. */
  relative(at: number, now: number): string {
    const { amount, unit } = inLargestUnit(at - now);
    if (amount === 0) return relativeFormat().format(0, 'second');
    return (unit === 'day' ? dayCountFormat : relativeFormat)().format(amount, unit);
  },

  /** `83 days`. */
  span(ms: number): string {
    const { amount, unit } = inLargestUnit(ms);
    return spanFormats[unit]().format(Math.max(1, amount));
  },

  isNear: (at: number, now: number): boolean => Math.abs(at - now) <= relativeDays * dayMs,
};

const dayCountFormat = localeFormat((locale) => new Intl.RelativeTimeFormat(locale));
const relativeFormat = localeFormat((locale) => new Intl.RelativeTimeFormat(locale, { numeric: 'auto' }));
const spanFormat = (unit: Unit) =>
  localeFormat((locale) => new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'long' }));
const spanFormats = { day: spanFormat('day'), hour: spanFormat('hour'), minute: spanFormat('minute') };

function inLargestUnit(ms: number): { amount: number; unit: Unit } {
  const size = Math.abs(ms);
  // Of days, the nearest number: what is stored for 5 days is not said to last for 4. 47 hours are one day all the same.
  if (ms >= 2 * dayMs) return { amount: Math.round(ms / dayMs), unit: 'day' };
  if (size >= dayMs) return { amount: Math.trunc(ms / dayMs), unit: 'day' };
  if (size >= hourMs) return { amount: Math.trunc(ms / hourMs), unit: 'hour' };
  return { amount: Math.trunc(ms / minuteMs), unit: 'minute' };
}
