import * as vscode from 'vscode';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

/** Beyond this a date says more than a number of days. */
const relativeDays = 60;

/** Dates in the editor's language. All times are milliseconds since 1970. */
export const dates = {
  /** `2 Mar 2027`, in the form of the editor's language. */
  day: (at: number): string => new Intl.DateTimeFormat(locale(), { dateStyle: 'medium' }).format(at),

  /** The whole point in time, for tooltips. */
  full: (at: number): string =>
    new Intl.DateTimeFormat(locale(), { dateStyle: 'full', timeStyle: 'long' }).format(at),

  /** `in 12 days`, `3 hours ago`. */
  relative(at: number, now: number): string {
    const { amount, unit } = roughly(at - now);
    return new Intl.RelativeTimeFormat(locale(), { numeric: 'auto' }).format(amount, unit);
  },

  /** `83 days`. */
  span(ms: number): string {
    const { amount, unit } = roughly(ms);
    return new Intl.NumberFormat(locale(), { style: 'unit', unit, unitDisplay: 'long' }).format(amount);
  },

  isNear: (at: number, now: number): boolean => Math.abs(at - now) <= relativeDays * dayMs,
};

function locale(): string[] {
  return Intl.DateTimeFormat.supportedLocalesOf([vscode.env.language, 'en']);
}

function roughly(ms: number): { amount: number; unit: 'day' | 'hour' | 'minute' } {
  const size = Math.abs(ms);
  if (size >= dayMs) return { amount: Math.trunc(ms / dayMs), unit: 'day' };
  if (size >= hourMs) return { amount: Math.trunc(ms / hourMs), unit: 'hour' };
  return { amount: Math.trunc(ms / minuteMs), unit: 'minute' };
}
