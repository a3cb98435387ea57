import * as vscode from 'vscode';
import { keyStatus, type KeyStatus } from '../../../model/keys/key.ts';
import { longLifeMs, neverExpires } from '../../../model/keys/token.ts';
import { isProduction } from '../../../model/projects/environment.ts';
import type { ServiceAccount } from '../../../model/projects/project.ts';
import { t } from '../../../model/text/l10n.ts';
import { plainText } from '../../../model/text/plainText.ts';
import { config } from '../../config.ts';
import { dates } from '../keys/dates.ts';
import { isRefused, type TokenState } from '../tokens/tokens.ts';
import { longLife, statusIcon } from './keyNode.ts';
import { joined, themeIcon } from './projectNode.ts';

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
