import * as vscode from 'vscode';
import { t } from '../../../model/text/l10n.ts';
import { plainText } from '../../../model/text/plainText.ts';
import { commandIds, serviceSettings } from '../../ids.ts';
import { dates } from '../keys/dates.ts';
import type { Message, NodeOf } from './projectNode.ts';

interface Look {
  label: string;
  description?: string;
  icon: string;
  color?: string;
  /** What a click does. */
  click?: string;
  /** What the click hands over in place of the element. */
  with?: string;
}

/** A line of the Projects view that says how things stand, and does what helps when it is clicked. */
export function messageItem(node: NodeOf<'message'>, now: number): vscode.TreeItem {
  const { message } = node;
  const look = lookOf(message, now);
  const item = new vscode.TreeItem(look.label);
  item.contextValue = `message ${message.kind}`;
  item.iconPath = new vscode.ThemeIcon(
    look.icon,
    look.color === undefined ? undefined : new vscode.ThemeColor(look.color),
  );
  if (look.description !== undefined) {
    item.description = plainText(look.description);
    item.tooltip = `${look.label}\n${plainText(look.description, 400)}`;
  } else {
    item.tooltip = look.label;
  }
  if (look.click !== undefined) {
    item.command = { command: look.click, title: look.label, arguments: [look.with ?? node] };
  }
  return item;
}

function lookOf(message: Message, now: number): Look {
  switch (message.kind) {
    case 'loading':
      return { label: t('Loading keys…'), icon: 'loading~spin' };
    case 'noKeys':
      return { label: t('No keys'), icon: 'circle-slash' };
    case 'noMatch':
      return { label: t('No key passes the filter'), icon: 'filter' };
    case 'addressIgnored':
      return {
        label: t('Address of the workspace ignored'),
        description: t(
          '{0}: a project has its addresses from your user settings alone.',
          message.addresses.join(', '),
        ),
        ...{ icon: 'shield', color: 'list.warningForeground' },
        ...{ click: 'workbench.action.openSettings', with: serviceSettings },
      };
    case 'inClear':
      return {
        label: t('Not encrypted: use https'),
        description: inClearText(message.origins),
        ...{ icon: 'unlock', color: 'list.warningForeground' },
        ...{ click: 'workbench.action.openSettings', with: serviceSettings },
      };
    case 'addAccount':
      return { label: t('Add a service account'), icon: 'add', click: commandIds.addServiceAccount };
    case 'addApp':
      return { label: t('Add an app'), icon: 'add', click: commandIds.addApp };
    case 'tokenMissing':
      return {
        label: message.lost ? t('Token missing: set it again') : t('No token yet: set it'),
        ...(message.lost && { description: t('the secret store of the editor has lost it') }),
        ...{ icon: 'key', color: 'list.warningForeground', click: commandIds.setToken },
      };
    case 'tokenRefused':
      return {
        label: t('Token refused: set a new one'),
        description: t('the service answered {0}', message.status),
        ...{ icon: 'error', color: 'list.errorForeground', click: commandIds.setToken },
      };
    case 'lender':
      return {
        label: t('Read with the token of {0}…', plainText(message.name)),
        ...{ icon: 'account', click: commandIds.refreshServiceAccount },
      };
    case 'lent':
      return { label: t('Read with the token of {0}', plainText(message.name)), icon: 'account' };
    case 'lentRefused':
      return {
        label: t('The token of {0} may not read these keys: set one', plainText(message.name)),
        description: t('the service answered {0}', message.status),
        ...{ icon: 'error', color: 'list.errorForeground', click: commandIds.setToken },
      };
    case 'goesOn':
      return message.why === 'nextPage'
        ? {
            label: t('The list may go on'),
            description: t('the service names a next page, which Runhook does not know how to ask for'),
            icon: 'ellipsis',
          }
        : {
            label: t('The list goes on'),
            description: t('the first {0} keys are shown', message.shown),
            icon: 'ellipsis',
          };
    case 'notFound':
      return {
        label: t('Unknown to the service: {0}', plainText(message.unknown)),
        description: message.text,
        ...{ icon: 'error', color: 'list.errorForeground' },
      };
    case 'failed':
      return {
        label: t('Listing failed: retry'),
        description: message.text,
        ...{ icon: 'refresh', color: 'list.errorForeground', click: commandIds.refreshServiceAccount },
      };
    case 'offline':
      return {
        label: t('Service not reached: retry'),
        description: message.text,
        ...{
          icon: 'debug-disconnect',
          color: 'list.warningForeground',
          click: commandIds.refreshServiceAccount,
        },
      };
    case 'lastKnown':
      return { label: t('As last known, {0}', dates.relative(message.at, now)), icon: 'history' };
    case 'unrecognised':
      return {
        label:
          message.count === undefined
            ? t('Keys, shape not recognised')
            : t('{0} keys, shape not recognised', message.count),
        description: t('click to open what the service sent'),
        ...{ icon: 'json', color: 'list.warningForeground', click: commandIds.openRawKeys },
      };
  }
}

/** What is said of addresses that tokens go to unencrypted. */
export function inClearText(origins: readonly string[]): string {
  return t(
    '{0} is not encrypted: tokens and webhook secrets that go there can be read on the way. Set an https address.',
    plainText(origins.join(', '), 300),
  );
}
