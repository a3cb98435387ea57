import { createScanner } from 'jsonc-parser';

/** How a scan ended: at the end of the text, at something that is no token of JSON, or where it was told to. */
export type ScanEnd = 'end' | 'notJson' | 'stopped';

// Of `SyntaxKind`, which jsonc-parser exports as a type alone.
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
 * Goes through the tokens of a JSON text one by one. It neither recurses nor makes values of them, so that a
 * text made to be slow takes no longer than another of its length. It does not check their order: see `isJson`.
 * @param take is given where each token starts and ends, and how many brackets are open around it; returns
 * whether to go on
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
    // Comments and unknown characters come behind the tokens.
    const error: number = scanner.getTokenError();
    if (kind >= lineComment || error !== 0) return 'notJson';
    if (kind === closeBrace || kind === closeBracket) depth -= 1;
    const start = scanner.getTokenOffset();
    if (!take(start, start + scanner.getTokenLength(), depth)) return 'stopped';
    if (kind === openBrace || kind === openBracket) depth += 1;
  }
  return 'end';
}

/** Goes through the comments of a JSON text that ends them. @param take is given where each starts and ends */
export function scanComments(text: string, take: (start: number, end: number) => void): void {
  const scanner = createScanner(text);
  const next = (): number => scanner.scan();
  for (let kind = next(); kind !== endOfText; kind = next()) {
    const error: number = scanner.getTokenError();
    if ((kind !== lineComment && kind !== blockComment) || error !== 0) continue;
    const start = scanner.getTokenOffset();
    take(start, start + scanner.getTokenLength());
  }
}

/** Whether a text is one value of JSON. */
export function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
