import * as vscode from 'vscode';
import { ServiceError, UnreachableError } from '../../../client/errors.ts';
import { type Key, type KeyStatus, keyStatus } from '../../../model/keys/key.ts';
import type { KeyList } from '../../../model/keys/keys.ts';
import type { AccountRef, ServiceAccount } from '../../../model/projects/project.ts';
import { failureText } from '../../../model/service/failureReason.ts';
import { t } from '../../../model/text/l10n.ts';
import { plainText } from '../../../model/text/plainText.ts';
import { clicked } from '../../commands.ts';
import { commandIds } from '../../ids.ts';
import { dates } from '../keys/dates.ts';
import type { KeysState } from '../keys/keyLists.ts';
import type { KnownKeys } from '../keys/knownKeysStore.ts';
import { keyNode, longLife, statusIcon } from './keyNode.ts';
import { type Look, messageNode } from './messageNode.ts';
import { type ProjectNode, joined, projectNode, themeIcon } from './projectNode.ts';
import { longLifeMs, neverExpires } from '../../../model/keys/token.ts';
import { isProduction } from '../../../model/projects/environment.ts';
import { config } from '../../config.ts';
import { type TokenState, isRefused } from '../tokens/tokens.ts';

const warning = 'list.warningForeground';
const error = 'list.errorForeground';

/** Which keys of an account are shown. */
export interface ShownKeys {
  /** The maximum number of keys shown. */
  most: number;
  /** Whether a key passes the filter of the view. */
  passes: (key: Key) => boolean;
}

/** The row below a service account that has no token. */
export function withoutToken(ref: AccountRef, lost: boolean): ProjectNode {
  return messageNode('tokenMissing', ref, {
    label: lost ? t('Token missing: set it again') : t('No token yet: set it'),
    ...(lost && { description: t('the secret store of the editor has lost it') }),
    ...{ icon: 'key', color: warning, click: commandIds.setToken },
  });
}

/** Builds the rows below a service account whose keys can be requested. */
export class AccountChildren {
  readonly #ref: AccountRef;
  readonly #shown: ShownKeys;
  readonly #now: number;

  constructor(ref: AccountRef, shown: ShownKeys, now: number) {
    this.#ref = ref;
    this.#shown = shown;
    this.#now = now;
  }

  of(state: KeysState): ProjectNode[] {
    const loading = () => this.#message('loading', { label: t('Loading keys…'), icon: 'loading~spin' });
    switch (state.kind) {
      case 'unknown':
        return [loading()];
      case 'loading':
        return [loading(), ...this.#lastKeys(state.last)];
      case 'known':
        return this.#listRows(state.last.list);
      case 'failed':
        return [this.#failure(state.error), ...this.#ageNote(state.last), ...this.#lastKeys(state.last)];
    }
  }

  #message(kind: string, look: Look): ProjectNode {
    return messageNode(kind, this.#ref, look);
  }

  #lastKeys(last: KnownKeys | undefined): ProjectNode[] {
    return last?.list.kind === 'keys' ? this.#keyRows(last.list.keys, true) : [];
  }

  #ageNote(last: KnownKeys | undefined): ProjectNode[] {
    if (last?.list.kind !== 'keys') return [];
    const label = t('As last known, {0}', dates.relative(last.at, this.#now));
    return [this.#message('lastKnown', { label, icon: 'history' })];
  }

  #listRows(list: KeyList): ProjectNode[] {
    if (list.kind === 'unrecognised') {
      const label =
        list.count === undefined
          ? t('Keys, shape not recognised')
          : t('{0} keys, shape not recognised', list.count);
      const description = t('click to open what the service sent');
      const look = { label, description, icon: 'json', color: warning, click: commandIds.openRawKeys };
      return [this.#message('unrecognised', look)];
    }
    const nodes = this.#keyRows(list.keys, false);
    if (list.keys.length === 0) {
      nodes.push(this.#message('noKeys', { label: t('No keys'), icon: 'circle-slash' }));
    } else if (nodes.length === 0) {
      nodes.push(this.#message('noMatch', { label: t('No key matches the filter'), icon: 'filter' }));
    }
    if (list.goesOn === 'nextPage') {
      const description = t(
        'the service says that there are more, which Runhook does not know how to ask for',
      );
      nodes.push(this.#message('goesOn', { label: t('The list may go on'), description, icon: 'ellipsis' }));
    } else if (list.goesOn === 'tooMany') {
      const description = t('the first {0} keys are shown', list.keys.length);
      nodes.push(this.#message('goesOn', { label: t('The list goes on'), description, icon: 'ellipsis' }));
    }
    return nodes;
  }

  #keyRows(keys: readonly Key[], stale: boolean): ProjectNode[] {
    const passing = [...keys.entries()].filter(([, key]) => this.#shown.passes(key));
    const nodes = passing
      .slice(0, this.#shown.most)
      .map(([index, key]) => keyNode(this.#ref, key, index, stale, this.#now));
    const hidden = passing.length - nodes.length;
    return hidden > 0 ? [...nodes, moreNode(this.#ref, hidden)] : nodes;
  }

  #failure(failure: unknown): ProjectNode {
    const description = failureText(failure);
    if (failure instanceof UnreachableError) {
      const retry = { icon: 'debug-disconnect', color: warning, click: commandIds.refreshServiceAccount };
      return this.#message('offline', { label: t('Service not reached: retry'), description, ...retry });
    }
    if (failure instanceof ServiceError && failure.refusesToken) return this.#refused(failure.status);
    if (failure instanceof ServiceError && failure.status === 404) {
      const label = t('Unknown to the service: {0}', plainText(unknownIds(failure.message, this.#ref)));
      return this.#message('notFound', { label, description: failure.message, icon: 'error', color: error });
    }
    const retry = { icon: 'refresh', color: error, click: commandIds.refreshServiceAccount };
    return this.#message('failed', { label: t('Listing failed: retry'), description, ...retry });
  }

  #refused(status: number): ProjectNode {
    const description = t('the service answered {0}', status);
    const look = { description, icon: 'error', color: error, click: commandIds.setToken };
    return this.#message('tokenRefused', { label: t('Token refused: set a new one'), ...look });
  }
}

function moreNode(argument: AccountRef, hidden: number): ProjectNode {
  const item = new vscode.TreeItem(t('Load more…'));
  item.description = t('{0} more', hidden);
  item.iconPath = themeIcon('ellipsis');
  item.command = { command: commandIds.showMoreKeys, title: t('Load more…'), arguments: clicked(argument) };
  return projectNode('more', argument, item);
}

/** A 404 does not say which of the two ids is unknown, unless its message names just one of them. */
function unknownIds(text: string, { projectId, serviceAccountId }: AccountRef): string {
  const ids = [projectId, serviceAccountId];
  const named = ids.filter((id) => text.includes(id));
  return (named.length > 0 ? named : ids).join(', ');
}

export interface AccountLook {
  account: ServiceAccount;
  token: TokenState;
  /** Whether app calls use this account's token. */
  active: boolean;
  transient: boolean;
}

/** The tree item of a service account. Its text repeats what its icon and colour say. */
export function accountItem({ account, token, active, transient }: AccountLook, now: number) {
  const { id, name, environment } = account;
  const item = new vscode.TreeItem(plainText(name ?? id), vscode.TreeItemCollapsibleState.Collapsed);
  const { text, status } = tokenText(token, now);
  item.description = joined(' · ', plainText(environment ?? '', 30), active ? t('active') : '', text);
  const marks = [active ? 'active' : 'idle', transient ? 'transient' : 'kept'];
  item.contextValue = ['account', token.kind, ...marks].join(' ');
  item.iconPath = icon(token, status, environment);
  item.tooltip = [t('Service account {0}', plainText(id)), ...tokenAdvice(token, text, now)].join('\n');
  return item;
}

function tokenAdvice(token: TokenState, text: string, now: number): string[] {
  if (token.kind !== 'stored') return [text];
  const refused =
    token.refused === undefined
      ? []
      : [t('The service refused its token ({0}). Set a new one.', token.refused)];
  return [...refused, ...expiryAdvice(token, text, now)];
}

function expiryAdvice(token: TokenState & { kind: 'stored' }, text: string, now: number): string[] {
  if (token.expiresAt === undefined) return token.isJwt ? [text, neverExpires()] : [text];
  return [t('Its token expires on {0}.', dates.full(token.expiresAt)), ...longLife(token.expiresAt, now)];
}

function tokenText(token: TokenState, now: number): { text: string; status: KeyStatus } {
  if (token.kind === 'none') return { text: t('no token'), status: 'expiring' };
  if (token.kind === 'missing') return { text: t('token missing'), status: 'expired' };
  if (isRefused(token, now)) return { text: t('token refused'), status: 'expired' };
  if (token.expiresAt === undefined) {
    const text = token.isJwt ? t('token without expiry') : t('token stored');
    return { text, status: token.isJwt ? 'expiring' : 'unknown' };
  }
  const status = keyStatus(token.expiresAt, now, config.expiryWarningDays());
  if (status === 'expired') {
    return { text: t('token expired {0}', dates.relative(token.expiresAt, now)), status };
  }
  const left = token.expiresAt - now;
  const text =
    left > longLifeMs
      ? t('token {0} left, more than a year', dates.span(left))
      : t('token {0} left', dates.span(left));
  return { text, status };
}

/** A token that needs attention gets a red or yellow icon, like those of keys. No environment uses these colours. */
function icon(token: TokenState, status: KeyStatus, environment: string | undefined): vscode.ThemeIcon {
  if (token.kind === 'missing') return themeIcon('key', 'list.errorForeground');
  if (token.kind === 'none') return themeIcon('key', 'list.warningForeground');
  if (status === 'expired' || status === 'expiring') return statusIcon(status);
  return themeIcon('account', environmentColor(environment));
}

function environmentColor(environment: string | undefined): string | undefined {
  if (isProduction(environment)) return 'charts.purple';
  if (environment === 'staging') return 'charts.green';
  return environment === 'dev' ? 'charts.blue' : undefined;
}
