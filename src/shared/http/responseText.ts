import { STATUS_CODES } from 'node:http';
import { prettyJson } from '../json/jsonText.ts';
import { bytesText } from '../text/bytesText.ts';
import { t } from '../text/l10n.ts';
import { oneLine } from '../text/plainText.ts';

/** A response, and what it responds to, as a document shows them. */
export interface ShownResponse {
  /** The first line: how it went. */
  outcome: string;
  /** What else there is to say before the body, a line each. */
  notes: readonly string[];
  body: string;
  /** The HTML whose text the body is. */
  html?: string | undefined;
  /** Undefined until they have come. */
  headers?: readonly (readonly [name: string, value: string])[] | undefined;
  /** What was sent: `POST http://localhost:3000/`, and more lines about it. */
  request: readonly string[];
}

/** Before the name of a part that is folded. No such line is in JSON that is laid out. */
const partMark = '──';
const indent = '  ';

/**
 * The text of a response: how it went, the body, and below it, to be folded, its headers and the request. They come
 * last so that a body that grows leaves them as they are: the editor would unfold what it has to replace.
 */
export function responseText({ outcome, notes, body, html, headers, request }: ShownResponse): string {
  const [what = '', ...more] = request;
  const parts = [
    [oneLine(outcome), ...notes].join('\n'),
    body.trimEnd(),
    [
      ...(html === undefined ? [] : part('HTML', bytesText(Buffer.byteLength(html)), html.split('\n'))),
      ...(headers
        ? part(
            t('Headers'),
            String(headers.length),
            headers.map(([name, value]) => `${name}: ${value}`),
          )
        : []),
      ...part(t('Request'), what, more),
    ].join('\n'),
  ];
  return `${parts.filter((one) => one !== '').join('\n\n')}\n`;
}

function part(name: string, about: string, lines: readonly string[]): string[] {
  return [`${partMark} ${name} · ${oneLine(about)}`, ...lines.map((line) => indent + oneLine(line))];
}

/** `200 OK`. */
export function statusText(status: number): string {
  return `${status} ${STATUS_CODES[status] ?? ''}`.trim();
}

/** The lines of a body that was sent, for the request of a response. */
export function sentLines(body: string): string[] {
  return ['', ...(prettyJson(body) ?? body).split('\n')];
}

/** Lines of a document that can be folded, from 0. */
export interface Fold {
  first: number;
  last: number;
  /** Folded at first. */
  isPart: boolean;
}

/** What can be folded in the text of a response: its parts at the end, and in the body what is indented. */
export function responseFolds(lines: readonly string[]): Fold[] {
  const parts: Fold[] = [];
  let end = lines.length - 1;
  while (end >= 0 && lines[end]?.trim() === '') end -= 1;
  while (end >= 0) {
    let first = end;
    while (first >= 0 && lines[first]?.startsWith(indent)) first -= 1;
    if (lines[first]?.startsWith(`${partMark} `) !== true) break;
    if (first < end) parts.unshift({ first, last: end, isPart: true });
    end = first - 1;
  }
  // While the response is awaited, what was sent is all there is to read.
  const hasCome = parts.length > 1;
  return [...bodyFolds(lines, end), ...(hasCome ? parts : parts.map((one) => ({ ...one, isPart: false })))];
}

function bodyFolds(lines: readonly string[], last: number): Fold[] {
  const folds: Fold[] = [];
  /** The lines that may begin a fold, each indented further than the one before. */
  const open: { line: number; depth: number }[] = [];
  let before = -1;
  for (let line = 0; line <= last + 1; line += 1) {
    const text = lines[line] ?? '';
    if (line <= last && text.trim() === '') continue;
    const depth = line > last ? -1 : text.length - text.trimStart().length;
    while ((open.at(-1)?.depth ?? -1) >= depth && open.length > 0) {
      const first = open.pop()?.line ?? 0;
      if (before > first) folds.push({ first, last: before, isPart: false });
    }
    open.push({ line, depth });
    before = line;
  }
  return folds.sort((one, other) => one.first - other.first);
}
