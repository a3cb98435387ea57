import { format } from 'oxfmt';
import config from '../../.oxfmtrc.json' with { type: 'json' };

/**
 * A generated text as `npm run format` would leave it.
 * @param name of its file, which tells the language
 * @throws where the text cannot be read in that language
 */
export async function formatted(name: string, text: string): Promise<string> {
  const { code, errors } = await format(name, text, config);
  const [error] = errors;
  if (error !== undefined) throw new Error(`${name}: ${error.message}`);
  return code;
}
