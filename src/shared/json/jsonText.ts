import { isJson, scanJson } from './jsonScanner.ts';

/** How a JSON text is laid out. */
export interface Layout {
  /** What stands between two values, with a line break where each has a line of its own. */
  comma: string;
  colon: string;
  /** One level of indentation; without it, all stands on one line. */
  indent?: string;
  /** White space inside the brackets of what stands on one line, empty ones included. */
  pad?: string;
  /** Whether arrays stand on one line although objects do not. */
  flatArrays?: boolean;
}

/** Deeper texts are not laid out: their indentation alone could grow without bounds. */
const maxDepth = 64;

/**
 * The tokens of a JSON text, each as written: numbers keep their digits, strings their escapes. Undefined if the
 * text is not JSON; `tooMany` if it has `most` tokens or more.
 */
export function fewJsonTokens(text: string, most: number): string[] | 'tooMany' | undefined {
  const tokens: string[] = [];
  const end = scanJson(text, (start, behind) => tokens.push(text.slice(start, behind)) < most);
  if (end === 'stopped') return 'tooMany';
  return end === 'end' && isJson(text) ? tokens : undefined;
}

/** A JSON text without the white space between its tokens. */
export function compactJson(text: string): string {
  let compact = '';
  // Adjacent tokens are copied as one slice.
  let [begin, behind] = [0, 0];
  const end = scanJson(text, (start, next) => {
    if (start !== behind) {
      compact += text.slice(begin, behind);
      begin = start;
    }
    behind = next;
    return true;
  });
  return end === 'end' && isJson(text) ? compact + text.slice(begin, behind) : text;
}

/** Whether every number of a JSON text is written as JavaScript writes its value. */
export function keepsDigits(text: string): boolean {
  return (
    scanJson(text, (start, end) => {
      const token = text.slice(start, end);
      return !/^[-\d]/.test(token) || String(Number(token)) === token;
    }) !== 'stopped'
  );
}

/** The tokens as one text. Undefined if they nest deeper than anybody would lay out by hand. */
export function layOutJson(tokens: readonly string[], layout: Layout): string | undefined {
  const { comma, colon, indent, pad = '', flatArrays = false } = layout;
  if (indent === undefined && pad === '') {
    return tokens.map((one) => (one === ',' ? comma : one === ':' ? colon : one)).join('');
  }
  const lineBreak = comma.slice(1);
  const parts: string[] = [];
  /** Whether the values of each open bracket have lines of their own. */
  const open: boolean[] = [];
  let lines = 0;
  const newLine = (): string => lineBreak + (indent ?? '').repeat(lines);
  for (const [index, one] of tokens.entries()) {
    const isEmpty = isOpening(tokens[index - 1]) && isClosing(one);
    if (isClosing(one)) {
      const hasLines = open.pop() === true;
      if (hasLines) lines -= 1;
      parts.push(isEmpty ? one : hasLines ? newLine() + one : pad + one);
    } else if (isOpening(one)) {
      const hasLines = indent !== undefined && !(flatArrays && one === '[');
      open.push(hasLines);
      if (open.length > maxDepth) return undefined;
      if (hasLines) lines += 1;
      parts.push(one + (isClosing(tokens[index + 1]) || !hasLines ? pad : newLine()));
    } else if (one === ',') {
      parts.push(open.at(-1) === true ? `,${newLine()}` : indent === undefined ? comma : ', ');
    } else {
      parts.push(one === ':' ? colon : one);
    }
  }
  return parts.join('');
}

/** JSON indented for reading. Undefined if it nests deeper than anybody would read. */
export function indentedJson(tokens: readonly string[]): string | undefined {
  return layOutJson(tokens, { comma: ',\n', colon: ': ', indent: '  ' });
}

/** JSON with more tokens is left as received: laying it out would keep the editor busy, and nobody reads it. */
const mostTokens = 1_000_000;

/**
 * JSON indented for reading. Numbers and strings stay as written, and so does every key, even a duplicate.
 * Undefined if the text is not a JSON object or array, or is too long or too deep.
 */
export function prettyJson(text: string): string | undefined {
  if (!/^\s*[[{]/.test(text)) return undefined;
  const tokens = fewJsonTokens(text, mostTokens);
  return Array.isArray(tokens) ? indentedJson(tokens) : undefined;
}

function isOpening(one: string | undefined): boolean {
  return one === '{' || one === '[';
}

function isClosing(one: string | undefined): boolean {
  return one === '}' || one === ']';
}
