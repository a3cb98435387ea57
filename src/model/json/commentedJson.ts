import { scanComments, scanJson } from './jsonScanner.ts';

/** JSON with comments, each character of these a space: what is left stands where it stood. */
export function withoutComments(text: string): string {
  const parts: string[] = [];
  let end = 0;
  scanComments(text, (start, behind) => {
    parts.push(text.slice(end, start), text.slice(start, behind).replaceAll(/[^\r\n]/g, ' '));
    end = behind;
  });
  return [...parts, text.slice(end)].join('');
}

/**
 * JSON as people write it, with comments and a comma behind the last element, as JSON: spaces stand for both, so that
 * every offset, line and column stays. A text that has neither stays as it is.
 */
export function plainJson(text: string): string {
  const bare = withoutComments(text);
  const commas: number[] = [];
  // A comma that has something before it, and nothing behind it.
  let [before, last] = ['', ''];
  let at = 0;
  scanJson(bare, (start) => {
    const token = bare.charAt(start);
    if ((token === '}' || token === ']') && last === ',' && !'{[,:'.includes(before)) commas.push(at);
    [before, last, at] = [last, token, start];
    return true;
  });
  if (commas.length === 0) return bare;
  let end = 0;
  const parts = commas.flatMap((comma) => {
    const part = [bare.slice(end, comma), ' '];
    end = comma + 1;
    return part;
  });
  return [...parts, bare.slice(end)].join('');
}
