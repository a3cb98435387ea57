/** The format of the day and the time of day. @param locales by default those of the machine */
export const momentFormat = (locales?: string[]): Intl.DateTimeFormat =>
  new Intl.DateTimeFormat(locales, { dateStyle: 'medium', timeStyle: 'medium', hourCycle: 'h23' });

/** `2 Mar 2027, 03:44:46`, with the time of day as on the clock of the rows, also where Japanese has `3:44:46`. */
export const momentText = (at: number, format = momentFormat()): string =>
  format.format(at).replace(/\b\d:/, '0$&');
