import { scanComments, scanJson } from './jsonScanner.ts';

/** JSON with each character of its comments replaced by a space, so that all offsets stay the same. */
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
 * Turns JSON with comments and trailing commas into plain JSON. Spaces replace both, so that every offset, line and
 * column stays the same. A text that has neither is returned unchanged.
 */
export function plainJson(text: string): string {
  const bare = withoutComments(text);
  const commas: number[] = [];
  // Finds commas with an element before them and none after them.
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
