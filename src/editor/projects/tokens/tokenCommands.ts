import * as v from 'valibot';
import { ServiceError } from '../../../client/errors.ts';
import { tokenExpiry } from '../../../model/keys/token.ts';
import { command } from '../../commands.ts';
import { commandIds } from '../../ids.ts';
import { cancellableProgress } from '../../cancellableProgress.ts';
import type { AccountRef } from '../../../model/projects/project.ts';
import type { Service } from '../../../model/service/endpoints.ts';
import type { ProjectCommandParts } from '../projectCommands.ts';
import { t } from '../../../model/text/l10n.ts';
import { plainText } from '../../../model/text/plainText.ts';
import { mendedBy, UserError } from '../../../model/text/userError.ts';
import { accountArgument } from '../keys/keyCommands.ts';
import { givenToken } from './tokenInput.ts';

const tokenArgument = v.object({ ...accountArgument.entries, token: v.optional(givenToken) });

/** The commands for tokens, and for choosing whose token is used. */
export function tokenCommands(parts: ProjectCommandParts) {
  const { projects, tokens, keyLists, questions, newEntries, check } = parts;
  /** @param service the one that the token was asked for */
  const keep = async (ref: AccountRef, token: string, service: Service) => {
    await projects.setToken(ref.projectId, ref.serviceAccountId, token, service);
    const serviceAccount = projects.serviceAccount(ref.projectId, ref.serviceAccountId);
    await projects.noteAnswer(ref.projectId, { service, serviceAccount, token }, check.refusal(token));
    keyLists.forgetOne(ref);
    check.tell(token);
    return expiryOf(token);
  };

  async function rotate(given?: v.InferOutput<typeof tokenArgument>): Promise<{ expiresAt?: string }> {
    const title = t('Rotate Token');
    const { projectId, serviceAccountId, account } = await questions.account(given, title);
    const service = projects.service(projectId);
    const token = given?.token ?? (await questions.token(projectId, account, title));
    // The old token is kept until the service has accepted the new one.
    const ref = { projectId, serviceAccountId };
    try {
      const trying = t('Trying the new token');
      await cancellableProgress(trying, (signal) => keyLists.ask(service, token, ref, signal));
    } catch (error) {
      if (!(error instanceof ServiceError) || !error.refusesToken) throw error;
      const name = account.name ?? account.id;
      const refused = t(
        'The service refused the token of {0} ({1}); the old one is kept.',
        name,
        error.status,
      );
      const remedies = [{ kind: 'tryAnother' }] as const;
      throw mendedBy(new UserError(refused, { cause: error, remedies }), [], () => rotate(ref));
    }
    return keep(ref, token, service);
  }

  return {
    [commandIds.setToken]: command(tokenArgument, async (given) => {
      const title = t('Set Token');
      if (given?.serviceAccountId === undefined) {
        const options = { projectId: given?.projectId, isNew: false, token: given?.token };
        const { projectId, account, token, service } = await newEntries.account(title, options);
        return keep({ projectId, serviceAccountId: account.id }, token, service);
      }
      const { projectId, serviceAccountId, account } = await questions.account(given, title);
      const ref = { projectId, serviceAccountId };
      const service = projects.service(projectId);
      const checked = () => questions.token(projectId, account, title, check.of(service, ref));
      return keep(ref, given.token ?? (await checked()), service);
    }),

    [commandIds.deleteToken]: command(accountArgument, async (given, from) => {
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
    }),

    [commandIds.rotateToken]: command(tokenArgument, rotate),

    [commandIds.removeAllTokens]: command(v.object({ confirmed: v.optional(v.boolean()) }), async (given) => {
      if (given?.confirmed !== true) {
        await questions.confirm(
          t('Delete every token that Runhook has stored?'),
          t('The service shows a token only once: without copies of them you need new ones.'),
          t('Delete All'),
        );
      }
      const removed = await tokens.deleteAll(() => true);
      keyLists.forget();
      return { removed };
    }),

    [commandIds.useServiceAccount]: command(accountArgument, async (given) => {
      const { projectId, serviceAccountId } = await questions.account(given, t('Use Service Account'));
      await projects.useAccount(projectId, serviceAccountId);
    }),
  };
}

function expiryOf(token: string): { expiresAt?: string } {
  const at = tokenExpiry(token);
  return at === undefined ? {} : { expiresAt: new Date(at).toISOString() };
}
