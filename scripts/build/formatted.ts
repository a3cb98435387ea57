import { format } from 'oxfmt';
import config from '../../.oxfmtrc.json' with { type: 'json' };

/**
 * Formats a generated text as `npm run format` does.
 * @param name the file name, whose extension selects the language
 * @throws Error if the text has a syntax error
 */
export async function formatted(name: string, text: string): Promise<string> {
  const { code, errors } = await format(name, text, config);
  const [error] = errors;
  if (error !== undefined) throw new Error(`${name}: ${error.message}`);
  return code;
}
