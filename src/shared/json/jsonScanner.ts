import { createScanner } from 'jsonc-parser';

/** How a scan ended: at the end of the text, at something that is not a JSON token, or stopped by its callback. */
type ScanEnd = 'end' | 'notJson' | 'stopped';

// Values of `SyntaxKind`, which jsonc-parser exports only as a type.
const openBrace = 1;
const closeBrace = 2;
const openBracket = 3;
const closeBracket = 4;
const lineComment = 12;
const blockComment = 13;
const lineBreak = 14;
const space = 15;
const endOfText = 17;

/**
 * Visits the tokens of a JSON text one by one. It neither recurses nor creates values, so that a text crafted to be
 * slow takes no longer than any other of its length. It does not check the order of the tokens: see `isJson`.
 * @param take is called with the start and end of each token, and the number of open brackets around it; returns
 * whether to continue
 */
export function scanJson(
  text: string,
  take: (start: number, end: number, depth: number) => boolean,
): ScanEnd {
  const scanner = createScanner(text);
  let depth = 0;
  const next = (): number => scanner.scan();
  for (let kind = next(); kind !== endOfText; kind = next()) {
    if (kind === lineBreak || kind === space) continue;
    // The kinds of comments and unknown characters have higher numbers than those of tokens.
    const error: number = scanner.getTokenError();
    if (kind >= lineComment || error !== 0) return 'notJson';
    if (kind === closeBrace || kind === closeBracket) depth -= 1;
    const start = scanner.getTokenOffset();
    if (!take(start, start + scanner.getTokenLength(), depth)) return 'stopped';
    if (kind === openBrace || kind === openBracket) depth += 1;
  }
  return 'end';
}

/** Whether a text is one valid JSON value. */
export function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** The maximum number of open brackets. Nobody nests so deep, and the code that walks values is recursive. */
export const deepestJson = 500;

/** Whether a text that may be JSON nests too deep for its values to be walked. */
export function nestsTooDeep(text: string): boolean {
  let isTooDeep = false;
  scanJson(text, (_start, _end, depth) => {
    // guard S92: JSON that nests deeper than 500 levels is treated as text.
    isTooDeep = depth >= deepestJson;
    return !isTooDeep;
  });
  return isTooDeep;
}

/** JSON with each character of its comments replaced by a space, so that all offsets stay the same. */
export function withoutComments(text: string): string {
  const scanner = createScanner(text);
  const parts: string[] = [];
  let end = 0;
  const next = (): number => scanner.scan();
  for (let kind = next(); kind !== endOfText; kind = next()) {
    const error: number = scanner.getTokenError();
    if ((kind !== lineComment && kind !== blockComment) || error !== 0) continue;
    const start = scanner.getTokenOffset();
    const before = text.slice(end, start);
    end = start + scanner.getTokenLength();
    parts.push(before, text.slice(start, end).replaceAll(/[^\r\n]/g, ' '));
  }
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
  const parts = [-1, ...commas].map((comma, nth) => bare.slice(comma + 1, commas[nth]));
  return parts.join(' ');
}
