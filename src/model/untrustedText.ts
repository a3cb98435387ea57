/** What has no place in one line of text: controls, line separators, and marks that turn its direction. */
const unfit = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]+/g;

/**
 * Text from the service as one line that can be shown: no control characters, cut to a length, and with
 * nothing in it that a label would draw as an icon (`$(trash)`).
 */
export function plainLine(text: string, maxLength = 120): string {
  const line = text
    .slice(0, maxLength * 4)
    .replace(unfit, ' ')
    .trim();
  const cut = line.length > maxLength ? `${line.slice(0, maxLength)}…` : line;
  return cut.toWellFormed().replaceAll('$(', '$\u200b(');
}
