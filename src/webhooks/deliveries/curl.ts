import { isCredentialHeader } from '../../model/masking/masking.ts';
import { isPlainText, shellWord, splitAt, type Variable } from './shellWord.ts';

/** A request as it is to be sent again. */
export interface CurlRequest {
  method: string;
  url: string;
  headers: Readonly<Record<string, string>>;
  body: Uint8Array;
}

/** The variables of the shell that stand in for what must not be written down. */
const tokenVariable = 'RUNHOOK_TOKEN';
const secretVariable = 'RUNHOOK_WEBHOOK_SECRET';

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

/** Headers that curl would add of its own. */
const curlDefaults = ['Accept', 'Content-Type', 'User-Agent'];

/** Linux takes no argument of more than 128 KiB. */
const longestArgument = 100_000;

/**
 * The command of a POSIX shell that sends the request byte for byte. Tokens and secrets are not in it:
 * `$RUNHOOK_TOKEN` and `$RUNHOOK_WEBHOOK_SECRET` stand there.
 * @param secrets the webhook secrets held
 */
export function curlCommand(request: CurlRequest, secrets: readonly string[]): string {
  const variables = secrets.map((value): Variable => ({ value, name: secretVariable }));
  const headers = Object.entries(request.headers).filter(([name]) => !ownedByCurl.has(name.toLowerCase()));
  const named = new Set(headers.map(([name]) => name.toLowerCase()));
  const body = bodyArgument(Buffer.from(request.body), variables);
  const lines = [
    `${body.input}curl --globoff --path-as-is --http1.1 --request ${shellWord(request.method)}`,
    `--url ${shellWord(request.url, variables)}`,
    ...headers.map(([name, value]) => `--header ${headerWord(name, value, variables)}`),
    ...[...curlDefaults, 'Expect']
      .filter((name) => !named.has(name.toLowerCase()))
      .map((name) => `--header '${name}:'`),
    body.argument,
  ];
  return lines.join(' \\\n  ');
}

function headerWord(name: string, value: string, variables: readonly Variable[]): string {
  if (value === '') return shellWord(`${name};`);
  if (/secret/i.test(name)) return shellWord(`${name}: `) + `"$${secretVariable}"`;
  if (isCredentialHeader(name)) {
    const scheme = /^[a-z]+ (?=\S)/i.exec(value)?.[0] ?? '';
    // guard: `$RUNHOOK_TOKEN` stands for it
    return shellWord(`${name}: ${scheme}`) + `"$${tokenVariable}"`;
  }
  return shellWord(`${name}: ${value}`, variables);
}

/** The body as an argument, or, where no argument can hold it, by way of base64 and standard input. */
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
