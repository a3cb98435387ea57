import { isCredentialHeader } from '../../shared/masking/likelySecrets.ts';
import { t } from '../../shared/text/l10n.ts';
import { UserError } from '../../shared/text/userError.ts';
import { usualSecretVariable } from '../signature/webhookSecret.ts';

/** A request that is copied to be sent by another program. */
export interface CopiedRequest {
  method: string;
  /** Exactly as it has to reach the server: nothing in it may be encoded anew. */
  url: string;
  headers: Readonly<Record<string, string>>;
  body?: string;
}

/** The environment variable in place of the token. That of the webhook secret is `usualSecretVariable`. */
export const tokenVariable = 'RUNHOOK_TOKEN';

/** Replaces each of these secrets by the variable of the webhook secret. */
export function secretVariables(secrets: readonly string[]): Variable[] {
  return secrets.map((value) => ({ value, name: usualSecretVariable }));
}

/** The value of a header, with variables in place of credentials. Text has one character per byte. */
export function headerPieces(name: string, value: string, variables: readonly Variable[]): Piece[] {
  if (value === '') return [];
  if (/secret/i.test(name)) return [{ kind: 'variable', name: usualSecretVariable }];
  if (!isCredentialHeader(name)) return splitAt(value, variables);
  const scheme = /^[a-z]+ (?=\S)/i.exec(value)?.[0] ?? '';
  // guard S96: `$RUNHOOK_TOKEN` stands for the token.
  const token = { kind: 'variable', name: tokenVariable } as const;
  return scheme === '' ? [token] : [{ kind: 'text', text: scheme }, token];
}

/**
 * Throws if a library would rewrite the address, and so request another one: most decode `%7E`, write `%3a` as `%3A`,
 * or encode `|`.
 * @param by the name of the library
 */
export function refuseRewritten(url: string, by: string): void {
  const isPlain = /^(?:[\w.~!$&()*+,;=:@/?-]|%[\dA-F]{2})*$/.test(url);
  const isDecoded = /%(?:2D|2E|3\d|[46][1-9A-F]|[57][\dA]|5F|7E)/.test(url);
  if (isPlain && !isDecoded && URL.parse(url)?.href === url) return;
  throw new UserError(
    t('{0} would change the address of this call. Copy it as cURL, which leaves it unchanged.', by),
  );
}

/** The same, with a body that need not be text. */
export type CurlRequest = Omit<CopiedRequest, 'body'> & { body?: Uint8Array | string };

/** Headers of one connection, which curl writes itself. */
const ownedByCurl = new Set([
  'connection',
  'content-length',
  'expect',
  'host',
  'keep-alive',
  'proxy-connection',
  'transfer-encoding',
]);

/** Headers that curl adds by default. */
const curlDefaults = ['Accept', 'Content-Type', 'User-Agent', 'Expect'];

/** The longest argument, in bytes: Linux takes none of more than 128 KiB. */
const longestArgument = 100_000;

/**
 * A POSIX shell command that sends the request byte for byte. It has `$RUNHOOK_TOKEN` and
 * `$WEBHOOK_SECRET` in place of tokens and secrets.
 * @param variables stand in for values that must not be written down: the webhook secrets held
 */
export function curlCommand(request: CurlRequest, variables: readonly Variable[]): string {
  const headers = Object.entries(request.headers).filter(([name]) => !ownedByCurl.has(name.toLowerCase()));
  const named = new Set(headers.map(([name]) => name.toLowerCase()));
  const body = request.body === undefined ? undefined : bodyArgument(Buffer.from(request.body), variables);
  const lines = [
    `${body?.input ?? ''}curl --globoff --path-as-is --http1.1 --request ${shellWord(request.method)}`,
    `--url ${shellWord(request.url, variables)}`,
    ...headers.map(([name, value]) => `--header ${headerWord(name, value, variables)}`),
    ...curlDefaults.filter((name) => !named.has(name.toLowerCase())).map((name) => `--header '${name}:'`),
    ...(body === undefined ? [] : [body.argument]),
  ];
  return lines.join(' \\\n  ');
}

function headerWord(name: string, value: string, variables: readonly Variable[]): string {
  if (value === '') return shellWord(`${name};`);
  return wordOf([{ kind: 'text', text: `${name}: ` }, ...headerPieces(name, value, variables)]);
}

/** The body as an argument, or, if no argument can hold it, as base64 piped to standard input. */
function bodyArgument(body: Buffer, variables: readonly Variable[]): { input: string; argument: string } {
  const bytes = body.toString('latin1');
  if (body.length <= longestArgument && isPlainText(bytes)) {
    return { input: '', argument: `--data-raw ${shellWord(bytes, variables)}` };
  }
  const pieces = splitAt(bytes, variables).map((piece) =>
    piece.kind === 'variable'
      ? `printf %s "$${piece.name}"`
      : `printf %s '${Buffer.from(piece.text, 'latin1').toString('base64')}' | base64 -d`,
  );
  const [only = ''] = pieces;
  const input = pieces.length === 1 ? only : `{ ${pieces.join('; ')}; }`;
  return { input: `${input} | `, argument: '--data-binary @-' };
}

/** A value that must not be written down, and the shell variable that replaces it. */
export interface Variable {
  value: string;
  name: string;
}

export type Piece = { kind: 'text'; text: string } | { kind: 'variable'; name: string };

/**
 * Quotes bytes as one word of a POSIX shell.
 * @param bytes one character a byte, as Node gives header text; NUL cannot be in a word
 */
function shellWord(bytes: string, variables: readonly Variable[] = []): string {
  return wordOf(splitAt(bytes, variables)) || "''";
}

/** Quotes pieces as part of a shell word; empty if there are none. */
function wordOf(pieces: readonly Piece[]): string {
  return joinedTexts(pieces)
    .map((piece) => (piece.kind === 'variable' ? `"$${piece.name}"` : quote(piece.text)))
    .join('');
}

/** Merges adjacent text pieces. */
export function joinedTexts(pieces: readonly Piece[]): Piece[] {
  const joined: Piece[] = [];
  for (const piece of pieces) {
    const last = joined.at(-1);
    if (last?.kind === 'text' && piece.kind === 'text') {
      joined.splice(-1, 1, { kind: 'text', text: last.text + piece.text });
    } else {
      joined.push(piece);
    }
  }
  return joined;
}

/** Splits bytes at the values that variables replace. */
export function splitAt(bytes: string, variables: readonly Variable[]): Piece[] {
  let pieces: Piece[] = bytes === '' ? [] : [{ kind: 'text', text: bytes }];
  for (const { value, name } of variables) {
    const needle = Buffer.from(value).toString('latin1');
    if (needle === '') continue;
    pieces = pieces.flatMap((piece): Piece[] => {
      if (piece.kind === 'variable') return [piece];
      return piece.text
        .split(needle)
        .flatMap((text, index): Piece[] => [
          ...(index > 0 ? [{ kind: 'variable' as const, name }] : []),
          ...(text === '' ? [] : [{ kind: 'text' as const, text }]),
        ]);
    });
  }
  return pieces;
}

/** Whether the bytes are UTF-8 without control characters that a terminal acts upon when they are pasted. */
function isPlainText(bytes: string): boolean {
  const buffer = Buffer.from(bytes, 'latin1');
  const text = buffer.toString('utf8');
  return !/[\p{Cc}\p{Cf}]/u.test(text.replaceAll('\n', '')) && Buffer.from(text).equals(buffer);
}

function quote(bytes: string): string {
  if (!isPlainText(bytes)) return `"$(printf '${printfFormat(bytes)}')"`;
  // guard S96: Text is quoted for the shell.
  return `'${Buffer.from(bytes, 'latin1')
    .toString('utf8')
    .replaceAll("'", String.raw`'\''`)}'`;
}

/** The bytes as a format of printf, all but letters and digits as octal escapes. */
function printfFormat(bytes: string): string {
  return bytes.replace(
    /[^A-Za-z0-9 :;,./_-]/g,
    (one) => `\\${one.charCodeAt(0).toString(8).padStart(3, '0')}`,
  );
}
