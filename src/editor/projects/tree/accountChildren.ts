import { ServiceError, UnreachableError } from '../../../client/errors.ts';
import { failureText } from '../../../model/service/failureReason.ts';
import type { Key } from '../../../model/keys/key.ts';
import type { KeyList } from '../../../model/keys/keys.ts';
import type { ServiceAccount } from '../../../model/projects/project.ts';
import type { AccountRef } from '../../../model/projects/accountRef.ts';
import type { KeysState } from '../keys/keyLists.ts';
import type { KnownKeys } from '../keys/knownKeysStore.ts';
import type { Lender } from '../tokens/lenders.ts';
import type { Message, ProjectNode } from './projectNode.ts';
import type { TokenState } from '../tokens/tokens.ts';

export interface AccountView {
  ref: AccountRef;
  state: KeysState;
  /** How many keys are to be shown. */
  shown: number;
  /** Whether a key passes the filter of the view. */
  passes: (key: Key) => boolean;
  /** Whose token the keys are read with, where the account has none. */
  lender: ServiceAccount | undefined;
}

/** What stands below a service account that has no token, and none that it may use. */
export function withoutToken(ref: AccountRef, token: TokenState, lender: Lender | undefined): ProjectNode[] {
  const say = (message: Message): ProjectNode => ({ kind: 'message', message, argument: ref });
  const missing = say({ kind: 'tokenMissing', lost: token.kind === 'missing' });
  return lender === undefined ? [missing] : [missing, say({ kind: 'lender', name: nameOf(lender.account) })];
}

/** What stands below a service account whose keys can be asked for. */
export function accountChildren(view: AccountView): ProjectNode[] {
  const { lender } = view;
  const say = (message: Message): ProjectNode => ({ kind: 'message', message, argument: view.ref });
  const lent = lender === undefined ? [] : [say({ kind: 'lent', name: nameOf(lender) })];
  return [...lent, ...keysAndMessages(view, say)];
}

function keysAndMessages(view: AccountView, say: (message: Message) => ProjectNode): ProjectNode[] {
  const { state } = view;
  switch (state.kind) {
    case 'unknown':
      return [say({ kind: 'loading' })];
    case 'loading':
      return [say({ kind: 'loading' }), ...lastKnown(view, state.last)];
    case 'known':
      return listed(view, state.last.list, false, say);
    case 'failed':
      return [say(failure(state.error, view)), ...aged(state.last, say), ...lastKnown(view, state.last)];
  }
}

function lastKnown(view: AccountView, last: KnownKeys | undefined): ProjectNode[] {
  return last === undefined || last.list.kind !== 'keys' ? [] : keyNodes(view, last.list.keys, true);
}

function aged(last: KnownKeys | undefined, say: (message: Message) => ProjectNode): ProjectNode[] {
  return last?.list.kind === 'keys' ? [say({ kind: 'lastKnown', at: last.at })] : [];
}

function listed(
  view: AccountView,
  list: KeyList,
  stale: boolean,
  say: (message: Message) => ProjectNode,
): ProjectNode[] {
  if (list.kind === 'unrecognised') {
    return [say({ kind: 'unrecognised', count: list.count })];
  }
  if (list.keys.length === 0) return [say({ kind: 'noKeys' }), ...goesOn(list).map(say)];
  const nodes = keyNodes(view, list.keys, stale);
  const end = goesOn(list).map(say);
  return nodes.length > 0 ? [...nodes, ...end] : [say({ kind: 'noMatch' }), ...end];
}

function goesOn({ goesOn: why, keys }: Extract<KeyList, { kind: 'keys' }>): Message[] {
  return why === undefined ? [] : [{ kind: 'goesOn', why, shown: keys.length }];
}

function keyNodes({ ref, shown, passes }: AccountView, keys: readonly Key[], stale: boolean): ProjectNode[] {
  const passing = [...keys.entries()].filter(([, key]) => passes(key));
  const nodes = passing.slice(0, shown).map(([index, key]): ProjectNode => {
    const argument = { ...ref, ...(key.id !== undefined && { keyId: key.id }) };
    return { kind: 'key', key, index, stale, argument };
  });
  const hidden = passing.length - nodes.length;
  return hidden > 0 ? [...nodes, { kind: 'more', hidden, argument: ref }] : nodes;
}

function failure(error: unknown, { ref, lender }: AccountView): Message {
  if (error instanceof ServiceError) {
    const { status } = error;
    if (error.refusesToken) {
      return lender === undefined
        ? { kind: 'tokenRefused', status }
        : { kind: 'lentRefused', name: nameOf(lender), status };
    }
    if (error.status === 404) return notFound(error.message, ref);
  }
  const text = failureText(error);
  return { kind: error instanceof UnreachableError ? 'offline' : 'failed', text };
}

/** A 404 does not say which of the two ids is unknown, unless its words name just one of them. */
function notFound(text: string, { projectId, serviceAccountId }: AccountRef): Message {
  const ids = [projectId, serviceAccountId];
  const named = ids.filter((id) => text.includes(id));
  return { kind: 'notFound', unknown: (named.length > 0 ? named : ids).join(', '), text };
}

function nameOf({ id, name }: ServiceAccount): string {
  return name ?? id;
}
