import * as vscode from 'vscode';
import { type Key, keyStatus, type KeyStatus } from '../../../model/keys/key.ts';
import { isOutOfUse, isUsual, type KeyState } from '../../../model/keys/keyState.ts';
import { longLifeMs } from '../../../model/keys/token.ts';
import type { AccountRef } from '../../../model/projects/project.ts';
import { t } from '../../../model/text/l10n.ts';
import { plainText } from '../../../model/text/plainText.ts';
import { config } from '../../config.ts';
import { dates } from '../keys/dates.ts';
import { joined, projectNode, type ProjectNode, themeIcon } from './projectNode.ts';

/**
 * The row of a key.
 * @param index its position in the list, from 0: a key may have neither name nor id
 * @param stale whether the key comes from the last known list
 */
export function keyNode(ref: AccountRef, key: Key, index: number, stale: boolean, now: number): ProjectNode {
  const { id, name, state, expiresAt } = key;
  const status = keyStatus(expiresAt, now, config.expiryWarningDays());
  const item = new vscode.TreeItem(plainText(name ?? id ?? t('Key {0}', index + 1)));
  item.description = joined(' · ', stateText(state), expiryText(key, status, now));
  item.contextValue = id === undefined ? 'key' : 'key known';
  item.iconPath = stateIcon(state) ?? statusIcon(status);
  if (stale) item.iconPath = themeIcon('circle-outline', 'disabledForeground');
  item.tooltip = keyTooltip(key, now);
  return projectNode('key', { ...ref, ...(id !== undefined && { keyId: id }) }, item, index);
}

export function statusIcon(status: KeyStatus): vscode.ThemeIcon {
  switch (status) {
    case 'valid':
      return themeIcon('pass', 'charts.green');
    case 'expiring':
      return themeIcon('warning', 'list.warningForeground');
    case 'expired':
      return themeIcon('error', 'list.errorForeground');
    case 'unknown':
      return themeIcon('question', 'disabledForeground');
  }
}

/** The service recommends expiry dates and rotation (service-interface.md, section 5). */
export function longLife(expiresAt: number, now: number): string[] {
  return expiresAt - now > longLifeMs
    ? [t('That is more than a year from now. A shorter life and rotation are safer.')]
    : [];
}

function expiryText({ expiresAt, unreadExpiry }: Key, status: KeyStatus, now: number): string {
  if (expiresAt === undefined) {
    return unreadExpiry === undefined
      ? t('no expiry known')
      : t('expiry not understood: {0}', plainText(unreadExpiry, 40));
  }
  const near = dates.isNear(expiresAt, now);
  if (status === 'expired') {
    return t('expired {0}', near ? dates.relative(expiresAt, now) : dates.day(expiresAt));
  }
  return near ? t('expires {0}', dates.relative(expiresAt, now)) : t('valid until {0}', dates.day(expiresAt));
}

/** The icon of a key that is out of use, whatever its expiry; undefined for any other key. */
function stateIcon(state: KeyState | undefined): vscode.ThemeIcon | undefined {
  if (!isOutOfUse(state)) return undefined;
  return state?.kind === 'revoked'
    ? themeIcon('circle-slash', 'list.errorForeground')
    : themeIcon('debug-pause', 'list.warningForeground');
}

/** Empty if the service names no state, or only the usual one. */
function stateText(state: KeyState | undefined): string {
  if (state === undefined || isUsual(state)) return '';
  if (state.kind === 'said') return plainText(state.word);
  return state.kind === 'revoked' ? t('revoked') : t('disabled');
}

function stateLine(state: KeyState): string {
  if (state.kind === 'said') return t('The service says of its state: {0}.', plainText(state.word));
  return state.kind === 'revoked'
    ? t('The service says that it is revoked.')
    : t('The service says that it is disabled.');
}

/** A plain string, never Markdown: all of it comes from the service. */
function keyTooltip({ state, expiresAt, unreadExpiry, createdAt, fields }: Key, now: number): string {
  const lines = [
    ...(state === undefined ? [] : [stateLine(state)]),
    ...(expiresAt === undefined
      ? [
          unreadExpiry === undefined
            ? t('The service names no expiry date. Keys with one are safer.')
            : t('The service names an expiry that Runhook cannot read: {0}', plainText(unreadExpiry, 200)),
        ]
      : [t('Expires on {0}.', dates.full(expiresAt)), ...longLife(expiresAt, now)]),
    ...(createdAt === undefined ? [] : [t('Created on {0}.', dates.full(createdAt))]),
    ...fields.slice(0, 40).map(({ name, text }) => `${plainText(name, 60)}: ${plainText(text, 200)}`),
  ];
  return lines.join('\n');
}
