import { isProduction } from '../../../model/projects/environment.ts';
import { t } from '../../../model/text/l10n.ts';
import { plainText } from '../../../model/text/plainText.ts';
import type { Project, ServiceAccount } from '../../../model/projects/project.ts';
import { DeclinedError } from '../../prompts/declinedError.ts';
import type { Prompts } from '../../prompts/prompts.ts';

/** A call to an app that is about to be made. */
export interface AppCall {
  /** The subject of a question: "Run hello". */
  action: string;
  /** What the call does, line by line. Called only if the question is asked. */
  detail: () => readonly string[];
  /** The label of the button that confirms: "Run". */
  verb: string;
}

/**
 * Asks for confirmation before a call under an account whose environment is production.
 * @throws DeclinedError
 */
export async function confirmProduction(
  prompts: Prompts,
  { id, name }: Project,
  account: ServiceAccount,
  { action, detail, verb }: AppCall,
): Promise<void> {
  if (!isProduction(account.environment)) return;
  const place = t(
    'Project {0}, service account {1}.',
    plainText(name ?? id),
    plainText(account.name ?? account.id),
  );
  const agreed = await prompts.confirm(
    t('{0} in {1}?', plainText(action), plainText(account.environment ?? '')),
    [...detail(), place].join('\n'),
    verb,
  );
  if (!agreed) throw new DeclinedError(t('{0} was not confirmed.', action));
}
