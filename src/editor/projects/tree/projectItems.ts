import * as vscode from 'vscode';
import { type Key, keyStatus, type KeyStatus } from '../../../model/keys/key.ts';
import { isOutOfUse, isUsual, type KeyState } from '../../../model/keys/keyState.ts';
import { longLifeMs, tokenWarningText } from '../../../model/keys/token.ts';
import { t } from '../../../model/text/l10n.ts';
import { plainText } from '../../../model/text/plainText.ts';
import { config } from '../../config.ts';
import { commandIds } from '../../ids.ts';
import { dates } from '../keys/dates.ts';
import { isProduction } from '../../../model/projects/environment.ts';
import type { Lender } from '../tokens/lenders.ts';
import { inClearText, messageItem } from './messageItem.ts';
import { nodeId } from './nodeId.ts';
import type { NodeOf, ProjectNode } from './projectNode.ts';
import { lastKnownUri } from '../keys/staleKeys.ts';
import type { TokenState } from '../tokens/tokens.ts';

const { None, Collapsed, Expanded } = vscode.TreeItemCollapsibleState;

/** How the elements of the Projects view look. The words say what icon and colour say. */
export class ProjectItems {
  readonly #now: () => number;

  /** @param now milliseconds since 1970 */
  constructor(now: () => number) {
    this.#now = now;
  }

  of(node: ProjectNode): vscode.TreeItem {
    const item = this.#itemOf(node);
    item.id = nodeId(node);
    // Without it a screen reader says the tooltip in place of what stands in the row.
    const words = [item.label, item.description].filter((word) => typeof word === 'string');
    item.accessibilityInformation ??= { label: words.filter((word) => word !== '').join(', ') };
    return item;
  }

  #itemOf(node: ProjectNode): vscode.TreeItem {
    switch (node.kind) {
      case 'project':
        return projectItem(node);
      case 'account':
        return this.#account(node);
      case 'apps':
        return appsItem(node);
      case 'app':
        return appItem(node);
      case 'appChild':
        return node.child.item;
      case 'key':
        return this.#key(node);
      case 'more':
        return moreItem(node);
      case 'message':
        return messageItem(node, this.#now());
      case 'line':
        return node.item;
    }
  }

  #account({ account, token, active, transient, lender }: NodeOf<'account'>): vscode.TreeItem {
    const item = new vscode.TreeItem(plainText(account.name ?? account.id), Collapsed);
    const { text, status } = this.#tokenText(token);
    item.description = [
      plainText(account.environment ?? '', 30),
      active ? t('active') : '',
      text,
      lentText(lender),
    ]
      .filter((part) => part !== '')
      .join(' · ');
    item.contextValue = [
      'account',
      token.kind,
      active ? 'active' : 'idle',
      transient ? 'transient' : 'kept',
    ].join(' ');
    item.iconPath =
      token.kind === 'stored' ? accountIcon(account.environment, status) : tokenIcon(token.kind);
    item.tooltip = [t('Service account {0}', plainText(account.id)), ...this.#tokenAdvice(token, text)].join(
      '\n',
    );
    return item;
  }

  #tokenAdvice(token: TokenState, text: string): string[] {
    if (token.kind !== 'stored') return [text];
    if (token.expiresAt === undefined) {
      return [text, ...(token.isJwt ? [tokenWarningText({ code: 'noExpiry' })] : [])];
    }
    return [
      t('Its token expires on {0}.', dates.full(token.expiresAt)),
      ...longLife(token.expiresAt, this.#now()),
    ];
  }

  #tokenText(token: TokenState): { text: string; status: KeyStatus } {
    if (token.kind === 'none') return { text: t('no token'), status: 'expiring' };
    if (token.kind === 'missing') return { text: t('token missing'), status: 'expired' };
    if (token.expiresAt === undefined) {
      const text = token.isJwt ? t('token without expiry') : t('token stored');
      return { text, status: token.isJwt ? 'expiring' : 'unknown' };
    }
    const now = this.#now();
    const status = keyStatus(token.expiresAt, now, config.expiryWarningDays());
    if (token.expiresAt - now > longLifeMs) {
      return { text: t('token {0} left, more than a year', dates.span(token.expiresAt - now)), status };
    }
    const text =
      status === 'expired'
        ? t('token expired {0}', dates.relative(token.expiresAt, now))
        : t('token {0} left', dates.span(token.expiresAt - now));
    return { text, status };
  }

  #key({ key, index, stale }: NodeOf<'key'>): vscode.TreeItem {
    const now = this.#now();
    const status = keyStatus(key.expiresAt, now, config.expiryWarningDays());
    const label = plainText(key.name ?? key.id ?? t('Key {0}', index + 1));
    const item = new vscode.TreeItem(label, None);
    item.description = [stateText(key.state), expiryText(key.expiresAt, status, now)]
      .filter((part) => part !== '')
      .join(' · ');
    item.contextValue = key.id === undefined ? 'key' : 'key known';
    item.iconPath = stale
      ? new vscode.ThemeIcon('circle-outline', new vscode.ThemeColor('disabledForeground'))
      : (stateIcon(key.state) ?? statusIcon(status));
    if (stale) item.resourceUri = lastKnownUri;
    item.tooltip = keyTooltip(key, now);
    item.accessibilityInformation = { label: `${label}, ${item.description}` };
    return item;
  }
}

function projectItem({
  project,
  transientLabel,
  host,
  inClear,
  hasSecret,
  shared,
}: NodeOf<'project'>): vscode.TreeItem {
  const item = new vscode.TreeItem(plainText(project.name ?? project.id), Expanded);
  const words = [
    transientLabel ?? (project.name === undefined ? '' : plainText(project.id)),
    inClear.length > 0 ? t('not encrypted') : '',
    plainText(host),
  ];
  item.description = words.filter((word) => word !== '').join(' · ');
  item.contextValue = `project ${transientLabel === undefined ? 'kept' : 'transient'}${secretMark(hasSecret)}`;
  item.iconPath = new vscode.ThemeIcon(transientLabel === undefined ? 'project' : 'beaker');
  const warning = inClear.length > 0 ? [inClearText(inClear)] : [];
  const at = host === '' ? [] : [t('Its service is at {0}.', plainText(host))];
  const place = shared ? [t('Kept in the settings of this workspace')] : [];
  const lines = [
    t('Project {0}', plainText(project.id)),
    ...place,
    ...at,
    ...warning,
    ...secretLine(hasSecret),
  ];
  item.tooltip = lines.join('\n');
  return item;
}

/** For the menu: what there is can be removed. */
function secretMark(hasSecret: boolean): string {
  return hasSecret ? ' secret' : '';
}

function secretLine(hasSecret: boolean): string[] {
  return hasSecret ? [t('It has a webhook secret of its own.')] : [];
}

function appsItem({ project, transient }: NodeOf<'apps'>): vscode.TreeItem {
  const item = new vscode.TreeItem(t('Apps'), project.apps.length > 0 || !transient ? Expanded : None);
  item.iconPath = new vscode.ThemeIcon('layers');
  item.contextValue = transient ? 'apps transient' : 'apps kept';
  item.description = project.apps.length > 0 ? '' : t('none yet');
  return item;
}

function appItem({ app, note, transient, expandable, hasSecret, argument }: NodeOf<'app'>): vscode.TreeItem {
  const item = new vscode.TreeItem(plainText(argument.appName), expandable ? Collapsed : None);
  item.description = argument.appName === app.id ? '' : plainText(app.id);
  item.contextValue = `app ${transient ? 'transient' : 'kept'}${secretMark(hasSecret)}`;
  item.iconPath = new vscode.ThemeIcon('package');
  const lines = [t('App {0}', plainText(app.id)), note, ...secretLine(hasSecret)];
  item.tooltip = lines.filter((line) => line !== undefined).join('\n');
  return item;
}

function moreItem({ hidden, argument }: NodeOf<'more'>): vscode.TreeItem {
  const item = new vscode.TreeItem(t('Load more…'), None);
  item.description = t('{0} more', hidden);
  item.iconPath = new vscode.ThemeIcon('ellipsis');
  item.command = { command: commandIds.showMoreKeys, title: t('Load more…'), arguments: [{ argument }] };
  return item;
}

function expiryText(expiresAt: number | undefined, status: KeyStatus, now: number): string {
  if (expiresAt === undefined) return t('no expiry known');
  const near = dates.isNear(expiresAt, now);
  if (status === 'expired') {
    return t('expired {0}', near ? dates.relative(expiresAt, now) : dates.day(expiresAt));
  }
  return near ? t('expires {0}', dates.relative(expiresAt, now)) : t('valid until {0}', dates.day(expiresAt));
}

function statusIcon(status: KeyStatus): vscode.ThemeIcon {
  const [icon, color] = {
    valid: ['pass', 'charts.green'],
    expiring: ['warning', 'list.warningForeground'],
    expired: ['error', 'list.errorForeground'],
    unknown: ['question', 'disabledForeground'],
  }[status] as [string, string];
  return new vscode.ThemeIcon(icon, new vscode.ThemeColor(color));
}

/** A key that is out of use looks so, whenever it expires. */
function stateIcon(state: KeyState | undefined): vscode.ThemeIcon | undefined {
  if (!isOutOfUse(state)) return undefined;
  return state?.kind === 'revoked'
    ? new vscode.ThemeIcon('circle-slash', new vscode.ThemeColor('list.errorForeground'))
    : new vscode.ThemeIcon('debug-pause', new vscode.ThemeColor('list.warningForeground'));
}

/** Empty where nothing is said, or what goes without saying. */
function stateText(state: KeyState | undefined): string {
  if (state === undefined || isUsual(state)) return '';
  return stateWord(state);
}

function stateWord(state: KeyState): string {
  if (state.kind === 'said') return plainText(state.word);
  return state.kind === 'revoked' ? t('revoked') : t('disabled');
}

function stateLine(state: KeyState): string {
  if (state.kind === 'said') return t('The service says of its state: {0}.', stateWord(state));
  return state.kind === 'revoked'
    ? t('The service says that it is revoked.')
    : t('The service says that it is disabled.');
}

function lentText(lender: Lender | undefined): string {
  if (lender?.isAllowed !== true) return '';
  const { name, id } = lender.account;
  return t('keys read with the token of {0}', plainText(name ?? id));
}

/** What needs care looks as it does on a key, in red or yellow. No environment has these colours. */
function accountIcon(environment: string | undefined, status: KeyStatus): vscode.ThemeIcon {
  if (status === 'expired' || status === 'expiring') return statusIcon(status);
  return new vscode.ThemeIcon('account', environmentColor(environment));
}

function tokenIcon(kind: 'none' | 'missing'): vscode.ThemeIcon {
  const color = kind === 'missing' ? 'list.errorForeground' : 'list.warningForeground';
  return new vscode.ThemeIcon('key', new vscode.ThemeColor(color));
}

function environmentColor(environment: string | undefined): vscode.ThemeColor | undefined {
  if (isProduction(environment)) return new vscode.ThemeColor('charts.purple');
  if (environment === 'staging') return new vscode.ThemeColor('charts.green');
  return environment === 'dev' ? new vscode.ThemeColor('charts.blue') : undefined;
}

/** A plain string, never Markdown: all of it comes from the service. */
function keyTooltip(key: Key, now: number): string {
  const lines = [
    ...(key.state === undefined ? [] : [stateLine(key.state)]),
    ...(key.expiresAt === undefined
      ? [t('The service names no expiry date. Keys with one are safer.')]
      : [t('Expires on {0}.', dates.full(key.expiresAt)), ...longLife(key.expiresAt, now)]),
    ...(key.createdAt === undefined ? [] : [t('Created on {0}.', dates.full(key.createdAt))]),
    ...key.fields.slice(0, 40).map(({ name, text }) => `${plainText(name, 60)}: ${plainText(text, 200)}`),
  ];
  return lines.join('\n');
}

/** The service recommends expiry dates and rotation (service-interface.md, section 5). */
function longLife(expiresAt: number, now: number): string[] {
  return expiresAt - now > longLifeMs
    ? [t('That is more than a year from now. A shorter life and rotation are safer.')]
    : [];
}
