import * as v from 'valibot';
import * as vscode from 'vscode';
import { type Key, keyStatus, type KeyStatus } from '../../model/key.ts';
import type { KeyList } from '../../model/keys.ts';
import { UserError } from '../../model/userError.ts';
import type { Commands } from '../commands.ts';
import { config } from '../config.ts';
import { commandIds } from '../ids.ts';
import type { AccountRef, KeyLists } from './keyLists.ts';
import type { ProjectQuestions } from './projectQuestions.ts';

const t = vscode.l10n.t;

const accountArgument = v.object({
  projectId: v.optional(v.string()),
  serviceAccountId: v.optional(v.string()),
});

/** A key as `runhook.listKeys` gives it (design: section 4). Times are ISO 8601 in UTC. */
export interface ListedKey {
  id?: string;
  name?: string;
  createdAt?: string;
  expiresAt?: string;
  status: KeyStatus;
}

/**
 * The commands that list keys.
 * @param reveal shows an account in the view, and what stands below it; `focus` goes there
 */
export function registerKeyCommands(
  commands: Commands,
  keyLists: KeyLists,
  questions: ProjectQuestions,
  reveal: (ref: AccountRef, how: { focus: boolean }) => Promise<void>,
): void {
  commands.register(commandIds.refreshProjects, v.object({}), async () => {
    await keyLists.loadAll();
  });

  commands.register(commandIds.listKeys, accountArgument, async (given, from) => {
    const ref = await questions.account(given, t('List Keys'));
    const list = await keyLists.load(ref);
    if (from === 'palette') await reveal(ref, { focus: true });
    return listed(list);
  });

  commands.register(commandIds.refreshServiceAccount, accountArgument, async (given, from) => {
    const ref = await questions.account(given, t('Refresh Service Account'));
    const loading = keyLists.load(ref);
    // What fails stands below the account: a message beside it would say the same once more.
    const focus = from === 'palette';
    await (from === 'caller' ? loading : loading.catch(() => reveal(ref, { focus })));
  });

  commands.register(commandIds.cancelRefresh, accountArgument, async (given) => {
    keyLists.cancel(await questions.account(given, t('Cancel')));
  });
}

/** @throws UserError where not even the number of keys is plain: an empty list would be a lie */
function listed(list: KeyList): ListedKey[] {
  if (list.kind === 'keys') return list.keys.map(listedKey);
  if (list.count === undefined) {
    throw new UserError(
      t('The service answered, but its list of keys has a shape that Runhook does not know.'),
    );
  }
  return Array.from({ length: list.count }, () => ({ status: 'unknown' }));
}

function listedKey({ id, name, createdAt, expiresAt }: Key): ListedKey {
  return {
    ...(id !== undefined && { id }),
    ...(name !== undefined && { name }),
    ...(createdAt !== undefined && { createdAt: new Date(createdAt).toISOString() }),
    ...(expiresAt !== undefined && { expiresAt: new Date(expiresAt).toISOString() }),
    status: keyStatus(expiresAt, Date.now(), config.expiryWarningDays()),
  };
}
