import * as vscode from 'vscode';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

type Unit = 'day' | 'hour' | 'minute';

/** Beyond this a date says more than a number of days. */
const relativeDays = 60;

/** Dates in the editor's language. All times are milliseconds since 1970. */
export const dates = {
  /** `2 Mar 2027`, in the form of the editor's language. */
  day: (at: number): string => dayFormat().format(at),

  /** The whole point in time, for tooltips. */
  full: (at: number): string => fullFormat().format(at),

  /** `in 12 days`, `3 hours ago`. */
  relative(at: number, now: number): string {
    const { amount, unit } = roughly(at - now);
    return relativeFormat().format(amount, unit);
  },

  /** `83 days`. */
  span(ms: number): string {
    const { amount, unit } = roughly(ms);
    return spanFormats[unit]().format(amount);
  },

  isNear: (at: number, now: number): boolean => Math.abs(at - now) <= relativeDays * dayMs,
};

/** Made with the first use and kept: to make one takes longer than to draw a hundred lines with it. */
function kept<Format>(make: (locale: string[]) => Format): () => Format {
  let format: Format | undefined;
  return () => (format ??= make(Intl.DateTimeFormat.supportedLocalesOf([vscode.env.language, 'en'])));
}

const dayFormat = kept((locale) => new Intl.DateTimeFormat(locale, { dateStyle: 'medium' }));
const fullFormat = kept(
  (locale) => new Intl.DateTimeFormat(locale, { dateStyle: 'full', timeStyle: 'long' }),
);
const relativeFormat = kept((locale) => new Intl.RelativeTimeFormat(locale, { numeric: 'auto' }));
const spanFormat = (unit: Unit) =>
  kept((locale) => new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'long' }));
const spanFormats = { day: spanFormat('day'), hour: spanFormat('hour'), minute: spanFormat('minute') };

function roughly(ms: number): { amount: number; unit: Unit } {
  const size = Math.abs(ms);
  if (size >= dayMs) return { amount: Math.trunc(ms / dayMs), unit: 'day' };
  if (size >= hourMs) return { amount: Math.trunc(ms / hourMs), unit: 'hour' };
  return { amount: Math.trunc(ms / minuteMs), unit: 'minute' };
}
