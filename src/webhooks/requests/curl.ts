import { headerPieces } from './copiedRequest.ts';
import { isPlainText, shellWord, splitAt, type Variable, wordOf } from './shellWord.ts';

/** A request that is copied to be sent again. */
export interface CurlRequest {
  method: string;
  url: string;
  headers: Readonly<Record<string, string>>;
  body?: Uint8Array | string;
}

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
const curlDefaults = ['Accept', 'Content-Type', 'User-Agent'];

/** The longest argument, in bytes: Linux takes none of more than 128 KiB. */
const longestArgument = 100_000;

/**
 * A POSIX shell command that sends the request byte for byte. It has `$RUNHOOK_TOKEN` and
 * `$RUNHOOK_WEBHOOK_SECRET` in place of tokens and secrets.
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
    ...[...curlDefaults, 'Expect']
      .filter((name) => !named.has(name.toLowerCase()))
      .map((name) => `--header '${name}:'`),
    ...(body === undefined ? [] : [body.argument]),
  ];
  return lines.join(' \\\n  ');
}

function headerWord(name: string, value: string, variables: readonly Variable[]): string {
  if (value === '') return shellWord(`${name};`);
  return wordOf([{ kind: 'text', text: `${name}: ` }, ...headerPieces(name, value, variables)]);
}

/**
 * The body as an argument, or, if no argument can hold it, as base64 piped to standard input.
 * @param options the options by which the program takes the body either way
 */
export function bodyArgument(
  body: Buffer,
  variables: readonly Variable[],
  options = { inline: '--data-raw', piped: '--data-binary @-' },
): { input: string; argument: string } {
  const bytes = body.toString('latin1');
  if (body.length <= longestArgument && isPlainText(bytes)) {
    return { input: '', argument: `${options.inline} ${shellWord(bytes, variables)}` };
  }
  const pieces = splitAt(bytes, variables).map((piece) =>
    piece.kind === 'variable'
      ? `printf %s "$${piece.name}"`
      : `printf %s '${Buffer.from(piece.text, 'latin1').toString('base64')}' | base64 -d`,
  );
  const [only = ''] = pieces;
  const input = pieces.length === 1 ? only : `{ ${pieces.join('; ')}; }`;
  return { input: `${input} | `, argument: options.piped };
}
