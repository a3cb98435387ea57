import { parseHttpUrl } from '../../service/endpoints.ts';
import { t } from '../../shared/text/l10n.ts';
import { UserError } from '../../shared/text/userError.ts';

/**
 * The page of the dashboard where tokens are created (service-interface.md, section 5). Parsed once, so that the
 * URL that is checked and shown is the one that is opened.
 * @throws UserError if it is not an http or https address, or contains a user name or a password
 */
export function dashboardPage(text: string): URL {
  const remedies = [{ kind: 'openSettings', ids: ['dashboardUrl'] }] as const;
  const url = parseHttpUrl(text, text, remedies);
  // guard S69: No page is opened that is not http or https, or contains a user name.
  if (url.username !== '' || url.password !== '') {
    throw new UserError(
      t('The dashboard address at {0} contains a user name or a password. Remove it.', url.host),
      { remedies },
    );
  }
  return url;
}
