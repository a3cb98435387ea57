import { tokenExpiry } from '../../../model/keys/token.ts';
import type { CommandsOf } from '../../commands.ts';
import type { AccountRef } from '../../../model/projects/project.ts';
import type { Service } from '../../../model/service/endpoints.ts';
import type { ProjectCommandParts } from '../projectCommands.ts';
import { t } from '../../../model/text/l10n.ts';
import { givenToken } from './tokenInput.ts';
import { plainText } from '../../../model/text/plainText.ts';

/** The commands for tokens, and for choosing whose token is used. */
export function tokenCommands(parts: ProjectCommandParts) {
  const { projects, keyLists, questions, newEntries, check } = parts;
  /** @param service the one that the token was asked for */
  const keep = async (ref: AccountRef, token: string, service: Service) => {
    await projects.setToken(ref.projectId, ref.serviceAccountId, token, service);
    const serviceAccount = projects.serviceAccount(ref.projectId, ref.serviceAccountId);
    await projects.noteAnswer(ref.projectId, { service, serviceAccount, token }, check.refusal(token));
    keyLists.forgetOne(ref);
    check.tell(token);
    return expiryOf(token);
  };

  return {
    setToken: async (given) => {
      const title = t('Set Token');
      const token = givenToken(given?.token);
      if (given?.serviceAccountId === undefined) {
        const options = { projectId: given?.projectId, isNew: false, token };
        const { projectId, account, token: answered, service } = await newEntries.account(title, options);
        return keep({ projectId, serviceAccountId: account.id }, answered, service);
      }
      const { projectId, serviceAccountId, account } = await questions.account(given, title);
      const ref = { projectId, serviceAccountId };
      const service = projects.service(projectId);
      const checked = () => questions.token(projectId, account, title, check.of(service, ref));
      return keep(ref, token ?? (await checked()), service);
    },

    deleteToken: async (given, from) => {
      const { projectId, serviceAccountId, account } = await questions.account(given, t('Delete Token'));
      if (from !== 'caller') {
        await questions.confirm(
          t('Delete the token of {0}?', plainText(account.name ?? account.id)),
          t('The service shows a token only once: without a copy of it you need a new one.'),
          t('Delete'),
        );
      }
      await projects.deleteToken(projectId, serviceAccountId);
      keyLists.forgetOne({ projectId, serviceAccountId });
    },

    useServiceAccount: async (given) => {
      const { projectId, serviceAccountId } = await questions.account(given, t('Use Service Account'));
      await projects.useAccount(projectId, serviceAccountId);
    },
  } satisfies Partial<CommandsOf<'projects'>>;
}

function expiryOf(token: string): { expiresAt?: string } {
  const at = tokenExpiry(token);
  return at === undefined ? {} : { expiresAt: new Date(at).toISOString() };
}
