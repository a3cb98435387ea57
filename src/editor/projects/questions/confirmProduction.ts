import { isProduction } from '../../../model/projects/environment.ts';
import { t } from '../../../model/text/l10n.ts';
import { plainText } from '../../../model/text/plainText.ts';
import type { Project, ServiceAccount } from '../../../model/projects/project.ts';
import { DeclinedError } from '../../prompts/declinedError.ts';
import type { Prompts } from '../../prompts/prompts.ts';

/**
 * Asks before something is done under an account whose environment is production.
 * @param action what is about to happen, as a question's subject: "Run hello"
 * @throws DeclinedError
 */
export async function confirmProduction(
  prompts: Prompts,
  { id, name }: Project,
  account: ServiceAccount,
  action: string,
): Promise<void> {
  if (!isProduction(account.environment)) return;
  const agreed = await prompts.confirm(
    t('{0} in {1}?', plainText(action), plainText(account.environment ?? '')),
    t('Project {0}, service account {1}.', plainText(name ?? id), plainText(account.name ?? account.id)),
    t('Go On'),
  );
  if (!agreed) throw new DeclinedError(t('{0} was not confirmed.', action));
}
