import { t } from '../../model/text/l10n.ts';
import { UserError } from '../../model/text/userError.ts';
import { type CopiedRequest, headerPieces, refuseRewritten } from './copiedRequest.ts';
import { bodyArgument } from './curl.ts';
import { shellWord, type Variable, wordOf } from './shellWord.ts';

/**
 * A POSIX shell command that sends the request with HTTPie.
 * @param variables stand in for values that must not be written down
 * @throws UserError if HTTPie would send something else
 */
export function httpieCommand(request: CopiedRequest, variables: readonly Variable[]): string {
  const { method, url, headers, body } = request;
  refuseRewritten(url, 'HTTPie');
  const argument =
    body === undefined
      ? { input: '', argument: '--ignore-stdin' }
      : bodyArgument(Buffer.from(body), variables, { inline: '--ignore-stdin --raw', piped: '' });
  const options = argument.argument === '' ? '' : `${argument.argument} `;
  const lines = [
    `${argument.input}http ${options}${shellWord(method)} ${shellWord(url, variables)}`,
    ...Object.entries(headers).map(([name, value]) => headerWord(name, value, variables)),
  ];
  return lines.join(' \\\n  ');
}

function headerWord(name: string, value: string, variables: readonly Variable[]): string {
  if (value === '') return shellWord(`${name};`);
  // HTTPie would read these as a separator or an escaped separator, or send them as UTF-8.
  if (/^[=@]|\\|[^\t\x20-\x7e]/.test(value)) {
    throw new UserError(t('HTTPie cannot send the header "{0}" as it is. Copy the call as cURL.', name));
  }
  return wordOf([{ kind: 'text', text: `${name}:` }, ...headerPieces(name, value, variables)]);
}
