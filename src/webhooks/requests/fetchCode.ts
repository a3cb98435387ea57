import { type CopiedRequest, headerPieces, refuseRewritten } from './copiedRequest.ts';
import { joinedTexts, type Piece, splitAt, type Variable } from './shellWord.ts';

/**
 * JavaScript that sends the request by `fetch`, in Node from version 18 on.
 * @param variables stand in for values that must not be written down
 * @throws UserError if fetch would send something else
 */
export function fetchCode(request: CopiedRequest, variables: readonly Variable[]): string {
  const { method, url, headers, body } = request;
  refuseRewritten(url, 'fetch');
  const written = (text: string) => expression(splitAt(bytesOf(text), variables), textOf);
  const lines = [
    `const response = await fetch(${written(url)}, {`,
    `  method: ${JSON.stringify(method)},`,
    '  headers: {',
    ...Object.entries(headers).map(
      ([name, value]) =>
        // A header's text has one character a byte already.
        `    ${JSON.stringify(name)}: ${expression(headerPieces(name, value, variables), (text) => text)},`,
    ),
    '  },',
    ...(body === undefined ? [] : [`  body: ${written(body)},`]),
    '});',
    'console.log(response.status, await response.text());',
  ];
  return `${lines.join('\n')}\n`;
}

function expression(pieces: readonly Piece[], read: (bytes: string) => string): string {
  const parts = joinedTexts(pieces).map((piece) =>
    piece.kind === 'variable' ? `process.env.${piece.name}` : literal(read(piece.text)),
  );
  return parts.join(' + ') || '""';
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
