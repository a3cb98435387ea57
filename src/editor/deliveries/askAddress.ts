import { parseHttpUrl } from '../../model/service/endpoints.ts';
import { failureText } from '../../model/service/failureReason.ts';
import { t } from '../../model/text/l10n.ts';
import { DeclinedError } from '../prompts/declinedError.ts';
import type { Destinations } from '../listener/feature.ts';
import type { Prompts } from '../prompts/prompts.ts';
import type { LastAnswers } from './lastAnswers.ts';

/**
 * Asks for the address to replay to: the last one, or the local app's where deliveries may go there, is there to
 * begin with.
 * @throws DeclinedError where none is given
 */
export async function askAddress(
  prompts: Prompts,
  title: string,
  last: LastAnswers,
  { forward }: Destinations,
): Promise<URL> {
  const address = await prompts.input({
    title,
    prompt: t('The address to send it to'),
    value: last.of('replayAddress') ?? (forward.kind === 'given' ? forward.to : ''),
    placeHolder: 'http://127.0.0.1:3000/webhook',
    validate: (text) => {
      try {
        parseHttpUrl(text);
        return undefined;
      } catch (error) {
        return failureText(error);
      }
    },
  });
  if (address === undefined) throw new DeclinedError(t('No address was given.'));
  const to = parseHttpUrl(address);
  await last.remember('replayAddress', to.href);
  return to;
}
