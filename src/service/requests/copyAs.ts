import type { copyFormats } from '../../contract/values.ts';
import {
  type CopiedRequest,
  type Piece,
  type Variable,
  curlCommand,
  headerPieces,
  joinedTexts,
  refuseRewritten,
  splitAt,
} from './copiedRequest.ts';

export type CopyFormat = (typeof copyFormats)[number];

/** Display names of the formats: names of programs and languages, never translated. */
export const copyFormatNames: Readonly<Record<CopyFormat, string>> = {
  curl: 'cURL',
  fetch: 'JavaScript fetch',
  requests: 'Python requests',
};

/**
 * The request as a command or as code, to be run elsewhere. It reads token and webhook secret from the environment
 * variables `RUNHOOK_TOKEN` and `WEBHOOK_SECRET`.
 * @param variables stand in for values that must not be written down
 * @throws UserError if another request would be sent than this one
 */
export function copyAs(format: CopyFormat, request: CopiedRequest, variables: readonly Variable[]): string {
  switch (format) {
    case 'curl':
      return curlCommand(request, variables);
    case 'fetch':
      return fetchCode(request, variables);
    case 'requests':
      return pythonCode(request, variables);
  }
}

/**
 * JavaScript that sends the request by `fetch`, in Node from version 18 on.
 * @param variables stand in for values that must not be written down
 * @throws UserError if fetch would send something else
 */
function fetchCode(request: CopiedRequest, variables: readonly Variable[]): string {
  const { method, url, headers, body } = request;
  refuseRewritten(url, 'fetch');
  const variable = (name: string) => `process.env.${name}`;
  const written = (text: string) =>
    expression(splitAt(bytesOf(text), variables), (bytes) => literal(textOf(bytes)), variable);
  const lines = [
    `const response = await fetch(${written(url)}, {`,
    `  method: ${JSON.stringify(method)},`,
    '  headers: {',
    ...Object.entries(headers).map(
      ([name, value]) =>
        // A header's text has one character a byte already.
        `    ${JSON.stringify(name)}: ${expression(headerPieces(name, value, variables), literal, variable)},`,
    ),
    '  },',
    ...(body === undefined ? [] : [`  body: ${written(body)},`]),
    '});',
    'console.log(response.status, await response.text());',
  ];
  return `${lines.join('\n')}\n`;
}

/** The pieces as an expression that joins literals and variables. */
function expression(
  pieces: readonly Piece[],
  literal: (bytes: string) => string,
  variable: (name: string) => string,
): string {
  const parts = joinedTexts(pieces).map((piece) =>
    piece.kind === 'variable' ? variable(piece.name) : literal(piece.text),
  );
  return parts.join(' + ') || literal('');
}

/** A string literal; a template literal for text of several lines, unless some character needs an escape. */
function literal(text: string): string {
  const quoted = JSON.stringify(text)
    .replaceAll('\u2028', String.raw`\u2028`)
    .replaceAll('\u2029', String.raw`\u2029`);
  if (!text.includes('\n') || /[^\P{Cc}\n\t]|\p{Cf}|\p{Zl}|\p{Zp}/u.test(text)) return quoted;
  return `\`${text
    .replaceAll('\\', String.raw`\\`)
    .replaceAll('`', '\\`')
    .replaceAll('${', '\\${')}\``;
}

function bytesOf(text: string): string {
  return Buffer.from(text).toString('latin1');
}

function textOf(bytes: string): string {
  return Buffer.from(bytes, 'latin1').toString();
}

/**
 * Python code that sends the request with the library `requests`.
 * @param variables stand in for values that must not be written down
 * @throws UserError if the library would send something else
 */
function pythonCode(request: CopiedRequest, variables: readonly Variable[]): string {
  const { method, url, headers, body } = request;
  refuseRewritten(url, 'requests');
  const written = (text: string) =>
    expression(splitAt(bytesOf(text), variables), textLiteral, (name) => `os.environ["${name}"]`);
  const header = (pieces: readonly Piece[]) =>
    expression(pieces, bytesLiteral, (name) => `os.environb[b"${name}"]`);
  const lines = [
    'import os',
    '',
    'import requests',
    '',
    'response = requests.request(',
    `    ${textLiteral(bytesOf(method))},`,
    `    ${written(url)},`,
    '    headers={',
    ...Object.entries(headers).map(
      ([name, value]) => `        ${JSON.stringify(name)}: ${header(headerPieces(name, value, variables))},`,
    ),
    '    },',
    ...(body === undefined ? [] : [`    data=(${written(body)}).encode(),`]),
    // A run may take any time, and a redirect is an answer like any other.
    '    timeout=None,',
    '    allow_redirects=False,',
    ')',
    'print(response.status_code, response.text)',
  ];
  return `${lines.join('\n')}\n`;
}

/** A Python string literal; a triple-quoted one for text of several lines. */
function textLiteral(bytes: string): string {
  const text = textOf(bytes);
  const escaped = text.replaceAll('\\', String.raw`\\`).replaceAll('"', String.raw`\"`);
  const isLaidOut = text.includes('\n');
  const safe = escaped.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (one) =>
    isLaidOut && (one === '\n' || one === '\t') ? one : escape(one),
  );
  // JSON is full of double quotes, which need no escape in a single-quoted literal.
  if (!isLaidOut && !text.includes("'")) return `'${safe.replaceAll(String.raw`\"`, '"')}'`;
  return isLaidOut ? `"""${safe}"""` : `"${safe}"`;
}

function escape(character: string): string {
  return `\\U${(character.codePointAt(0) ?? 0).toString(16).padStart(8, '0')}`;
}

/** Header text, one character a byte. */
function bytesLiteral(bytes: string): string {
  const escaped = bytes.replace(/[^\x20-\x7e]|["\\]/g, (one) => {
    return `\\x${one.charCodeAt(0).toString(16).padStart(2, '0')}`;
  });
  return `b"${escaped}"`;
}
