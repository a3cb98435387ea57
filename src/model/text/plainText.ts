/**
 * A text that somebody else wrote, fit for a label: on one line, without control and formatting characters,
 * not longer than `length`, and without the `$(…)` that the editor would draw as an icon, and the `[…](…)` that it
 * would make a link of.
 */
export function plainText(text: string, length = 120): string {
  // What is far beyond the end is not even looked at: the text may be megabytes long.
  const line = text
    .slice(0, length * 4)
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ')
    .trim();
  const short = line.length > length ? `${line.slice(0, length - 1)}…` : line;
  // A zero-width space between the two keeps the text readable and is no icon.
  // guard: text of the service is shown as text
  return withoutLinks(short.toWellFormed().replaceAll('$(', '$\u200b('));
}

/** A message without links: the editor makes one of `[…](…)`, and one of `command:` runs it when it is clicked. */
export function withoutLinks(text: string): string {
  return text.replaceAll('](', ']\u200b(');
}
