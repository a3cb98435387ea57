import { type Key, keyStatus, type KeyStatus } from '../../../model/keys/key.ts';
import type { KeyList } from '../../../model/keys/keys.ts';
import { t } from '../../../model/text/l10n.ts';
import type { AccountRef } from '../../../model/projects/project.ts';
import { UserError } from '../../../model/text/userError.ts';
import type { CommandsOf } from '../../commands.ts';
import { config } from '../../config.ts';
import type { KeyLists } from './keyLists.ts';
import type { ProjectQuestions } from '../questions/projectQuestions.ts';

/** A key as `runhook.listKeys` gives it (design: section 4). Times are ISO 8601 in UTC. */
export interface ListedKey {
  id?: string;
  name?: string;
  createdAt?: string;
  expiresAt?: string;
  status: KeyStatus;
  /** `revoked`, `disabled`, or the word of the service; absent where it says nothing. */
  state?: string;
}

/**
 * The commands that list keys.
 * @param reveal shows an account and its children in the view; `focus` moves the focus there
 */
export function keyCommands(
  keyLists: KeyLists,
  questions: ProjectQuestions,
  reveal: (ref: AccountRef, how: { focus: boolean }) => Promise<void>,
) {
  return {
    refreshProjects: async () => {
      await keyLists.loadAll();
    },

    listKeys: async (given, from) => {
      const ref = await questions.account(given, t('List Keys'));
      const list = await keyLists.load(ref);
      if (from === 'palette') await reveal(ref, { focus: true });
      return toListedKeys(list);
    },

    refreshServiceAccount: async (given, from) => {
      const ref = await questions.account(given, t('Refresh Service Account'));
      const loading = keyLists.load(ref);
      // The view shows a failure below the account: a message would only repeat it.
      const focus = from === 'palette';
      await (from === 'caller' ? loading : loading.catch(() => reveal(ref, { focus })));
    },

    cancelRefresh: async (given) => {
      keyLists.cancel(await questions.account(given, t('Cancel')));
    },
  } satisfies Partial<CommandsOf<'projects'>>;
}

/** @throws UserError if not even the number of keys is known: an empty list would be wrong */
function toListedKeys(list: KeyList): ListedKey[] {
  if (list.kind === 'keys') return list.keys.map(toListedKey);
  if (list.count === undefined) {
    throw new UserError(
      t('The service answered, but its list of keys has a shape that Runhook does not know.'),
    );
  }
  return Array.from({ length: list.count }, () => ({ status: 'unknown' }));
}

function toListedKey({ id, name, createdAt, expiresAt, state }: Key): ListedKey {
  return {
    ...(id !== undefined && { id }),
    ...(name !== undefined && { name }),
    ...(createdAt !== undefined && { createdAt: new Date(createdAt).toISOString() }),
    ...(expiresAt !== undefined && { expiresAt: new Date(expiresAt).toISOString() }),
    status: keyStatus(expiresAt, Date.now(), config.expiryWarningDays()),
    ...(state !== undefined && { state: state.kind === 'said' ? state.word : state.kind }),
  };
}
