import { type CopiedRequest, headerPieces, refuseRewritten } from './copiedRequest.ts';
import { joinedTexts, type Piece, splitAt, type Variable } from './shellWord.ts';

/**
 * Python code that sends the request with the library `requests`.
 * @param variables stand in for values that must not be written down
 * @throws UserError if the library would send something else
 */
export function pythonCode(request: CopiedRequest, variables: readonly Variable[]): string {
  const { method, url, headers, body } = request;
  refuseRewritten(url, 'requests');
  const written = (text: string) =>
    expression(splitAt(Buffer.from(text).toString('latin1'), variables), textLiteral, 'os.environ');
  const lines = [
    'import os',
    '',
    'import requests',
    '',
    'response = requests.request(',
    `    ${textLiteral(Buffer.from(method).toString('latin1'))},`,
    `    ${written(url)},`,
    '    headers={',
    ...Object.entries(headers).map(([name, value]) => {
      return `        ${JSON.stringify(name)}: ${expression(headerPieces(name, value, variables), bytesLiteral, 'os.environb')},`;
    }),
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

function expression(
  pieces: readonly Piece[],
  literal: (bytes: string) => string,
  environment: 'os.environ' | 'os.environb',
): string {
  const parts = joinedTexts(pieces).map((piece) =>
    piece.kind === 'text'
      ? literal(piece.text)
      : `${environment}[${environment === 'os.environb' ? 'b' : ''}"${piece.name}"]`,
  );
  return parts.join(' + ') || literal('');
}

/** A Python string literal; a triple-quoted one for text of several lines. */
function textLiteral(bytes: string): string {
  const text = Buffer.from(bytes, 'latin1').toString();
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
