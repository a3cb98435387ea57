import type * as vscode from 'vscode';
import { commandIds } from '../../contract/commands.ts';
import { ServiceError, UnreachableError } from '../../service/client/errors.ts';
import {
  isOutOfUse,
  isUsual,
  type Key,
  type KeyState,
  type KeyStatus,
  keyStatus,
} from '../../service/keys/key.ts';
import { longLifeMs, neverExpires } from '../../service/keys/token.ts';
import { isProduction } from '../../service/projects/environment.ts';
import type { AccountRef, ServiceAccount } from '../../service/projects/project.ts';
import { isSuccess } from '../../shared/http/isSuccess.ts';
import { failureText } from '../../shared/http/failureReason.ts';
import { endTimeOfDay, timeOfDay } from '../../shared/text/durationText.ts';
import { t } from '../../shared/text/l10n.ts';
import { plainText } from '../../shared/text/plainText.ts';
import { UserError } from '../../shared/text/userError.ts';
import { config } from '../kit/config.ts';
import { remediesOf } from '../kit/defaultRemedies.ts';
import { openSettings } from '../kit/openSettings.ts';
import { dayText, momentText } from '../kit/localeFormat.ts';
import { DeclinedError } from '../kit/prompts.ts';
import { joined, type Look, node, type Node, themeIcon } from '../kit/tree.ts';
import { dates, dayMs } from './dates.ts';
import type { FailedKeys, KeysState } from './keyLists.ts';
import type { KnownKeys } from './knownKeys.ts';
import { type AccountState, accountState, expiringKeys } from './accountState.ts';
import { isRefused, type TokenState } from './tokenState.ts';

/** The icon of the account in use. */
const inUse = 'circle-filled';
const warning = 'problemsWarningIcon.foreground';
const error = 'problemsErrorIcon.foreground';

/** The id of a row of the Projects view. @param suffix distinguishes it from others with the same argument */
export function rowId(kind: string, argument: object, suffix: string | number = ''): string {
  return JSON.stringify([kind, argument, suffix]);
}

/**
 * A row of the Projects view that shows a status. A click may run a command that helps.
 * @param kind identifies the row in menu conditions
 */
export function messageRow(
  kind: string,
  argument: object,
  look: Pick<Look<object>, 'label' | 'description' | 'tooltip' | 'icon' | 'click'>,
): Node {
  const { label, description, tooltip = description, icon, click } = look;
  return node({
    id: rowId('message', argument, kind),
    label,
    description: description && plainText(description),
    tooltip: joined('\n', label, tooltip && plainText(tooltip, 400)),
    icon,
    context: `message ${kind}`,
    argument,
    click,
  });
}

/** Which keys of an account are shown. */
export interface ShownKeys {
  /** The maximum number of keys shown. */
  most: number;
  /** Whether a key passes the filter of the view. */
  passes: (key: Key) => boolean;
}

/**
 * The rows below a service account whose keys can be requested.
 * @param token that of the account
 * @param now milliseconds since 1970
 */
export function keyRows(
  ref: AccountRef,
  state: KeysState,
  shown: ShownKeys,
  { token, now }: { token: TokenState; now: number },
): Node[] {
  const loading = () =>
    messageRow('loading', ref, { label: t('Loading keys'), icon: themeIcon('loading~spin') });
  const lastKeys = (last: KnownKeys | undefined) =>
    last === undefined ? [] : rowsOf(ref, last.list.keys, shown, { stale: true, now });
  switch (state.kind) {
    case 'unknown':
      return [loading()];
    case 'loading':
      return [loading(), ...lastKeys(state.last)];
    case 'known':
      return listRows(ref, state.last.list, shown, now);
    case 'unrecognised':
      return [
        state.raw === undefined
          ? emptyRow(ref)
          : rawRow(
              ref,
              t('Unreadable'),
              t('Runhook recognises no keys in the response. Check the address of the service.'),
            ),
        ...ageRow(ref, state.last, now),
        ...lastKeys(state.last),
      ];
    case 'failed':
      return [
        ...rejectedRow(ref, state, token, now),
        failureRow(ref, state, token, now),
        ...ageRow(ref, state.last, now),
        ...lastKeys(state.last),
      ];
  }
}

/** Says that the token was rejected, of a call of an app, where the list of keys failed for another reason. */
function rejectedRow(
  ref: AccountRef,
  { error: failure }: FailedKeys,
  token: TokenState,
  now: number,
): Node[] {
  if (token.kind !== 'stored' || !isRefused(token, now)) return [];
  if (failure instanceof ServiceError && failure.refusesToken) return [];
  return [
    messageRow(
      'failed',
      { ...ref, rejected: true },
      {
        label: t('Token rejected'),
        description: t('Set Token…'),
        icon: themeIcon('error', error),
        click: { command: commandIds.setToken },
      },
    ),
  ];
}

function ageRow(ref: AccountRef, last: KnownKeys | undefined, now: number): Node[] {
  if (last === undefined) return [];
  // A time stays true while the row is not drawn anew.
  const at = now - last.at < dayMs ? timeOfDay(new Date(last.at)) : dayText(last.at);
  const label = t('As last known, {0}', at);
  return [messageRow('lastKnown', ref, { label, icon: themeIcon('history') })];
}

function listRows(ref: AccountRef, list: KnownKeys['list'], shown: ShownKeys, now: number): Node[] {
  const rows = rowsOf(ref, list.keys, shown, { stale: false, now });
  if (list.keys.length === 0) {
    rows.push(messageRow('noKeys', ref, { label: t('No keys'), icon: themeIcon('circle-slash') }));
  } else if (rows.length === 0) {
    const label = t('No key matches the filter');
    rows.push(messageRow('noMatch', ref, { label, icon: themeIcon('filter') }));
  }
  const icon = themeIcon('ellipsis');
  if (list.goesOn === 'nextPage') {
    const description = t('the service has more, but Runhook does not know how to request them');
    rows.push(messageRow('goesOn', ref, { label: t('The list may be incomplete'), description, icon }));
  } else if (list.goesOn === 'tooMany') {
    const description = t('the first {0} keys are shown', list.keys.length);
    rows.push(messageRow('goesOn', ref, { label: t('The list is incomplete'), description, icon }));
  }
  return rows;
}

/** There is nothing to open of an empty response. */
function emptyRow(ref: AccountRef): Node {
  const [label, verb] = [t('Empty response'), t('Try Again')];
  return messageRow('failed', ref, {
    label,
    description: verb,
    tooltip: t('Click: {0}', verb),
    icon: themeIcon('error', error),
    click: { command: commandIds.refreshServiceAccount },
  });
}

/** A response that is not what was asked for: a click opens it. */
function rawRow(ref: AccountRef, label: string, tooltip?: string): Node {
  const verb = t('Open Response');
  return messageRow('unrecognised', ref, {
    label,
    description: verb,
    tooltip: joined('\n', tooltip, t('Click: {0}', verb)),
    icon: themeIcon('json', warning),
    click: { command: commandIds.openRawKeys },
  });
}

function rowsOf(ref: AccountRef, keys: readonly Key[], { most, passes }: ShownKeys, of: KeyRowOf): Node[] {
  const passing = [...keys.entries()].filter(([, key]) => passes(key));
  const rows = passing.slice(0, most).map(([index, key]) => keyRow(ref, key, index, of));
  const hidden = passing.length - rows.length;
  return hidden > 0 ? [...rows, moreRow(ref, hidden)] : rows;
}

/** Why the keys could not be listed, for a row: of the account, and of that below it. The tooltip has it whole. */
function failedText(ref: AccountRef, failed: FailedKeys, now: number): string {
  const { error: failure } = failed;
  if (failure instanceof ServiceError) {
    const { status, message } = failure;
    if (status === 404) return unknownText(message, ref);
    if (status === 403 && !failure.refusesToken) return t('403: no access');
    return plainText(shortText(failure, now));
  }
  if (failure instanceof UnreachableError) return plainText(failure.inRow);
  return failure instanceof UserError && failure.remedies[0]?.kind === 'setAddress'
    ? t('no address')
    : plainText(failureText(failure));
}

/** Says until when the service asks to wait, as long as that is to come: `429 until 14:03:12`. */
function shortText({ short, status, wait }: ServiceError, now: number): string {
  if (wait === undefined || wait.until <= now) return short;
  const isFar = wait.until - now >= dayMs;
  return t('{0} until {1}', status, isFar ? dayText(wait.until) : endTimeOfDay(wait.until));
}

/** The reason is what one has to read: what a click does about it stands behind. The service may say it at length. */
function failureRow(ref: AccountRef, failed: FailedKeys, token: TokenState, now: number): Node {
  const { error: failure } = failed;
  const ofService = failure instanceof ServiceError;
  const ofToken = ofService && failure.refusesToken;
  const label = ofToken ? refusedText(token, now) : failedText(ref, failed, now);
  const tooltip = failureText(failure);
  if (ofService && isSuccess(failure.status) && failure.remedies.length === 0)
    return rawRow(ref, label, tooltip);
  const said = ofToken && plainText(failure.short);
  const { verb, ...click } = mendingClick(failure);
  return messageRow(ofService ? 'failed' : 'offline', ref, {
    ...{
      label,
      description: joined(' · ', verb, said),
      tooltip: `${tooltip}\n${t('Click: {0}', verb)}`,
      click,
    },
    icon: failedIcon(failure),
  });
}

/** The row of the account says the same of the token: that it has expired is why the service rejects it. */
function refusedText(token: TokenState, now: number): string {
  const { kind } = accountState(token, now, config.expiryWarningDays());
  return kind === 'expired' ? t('Token expired') : t('Token rejected');
}

function failedIcon(failure: unknown): vscode.ThemeIcon {
  return failure instanceof ServiceError ? themeIcon('error', error) : themeIcon('debug-disconnect', warning);
}

/** What a click does first about a failure: what the first button of a message about it would do. */
function mendingClick(failure: unknown): { verb: string; command: string; arguments?: unknown[] } {
  const [remedy] = failure instanceof UserError ? remediesOf(failure) : [];
  switch (remedy?.kind) {
    case 'setToken':
      return { verb: t('Set Token…'), command: commandIds.setToken };
    case 'setAddress':
      return { verb: t('Set Address…'), command: commandIds.setProjectAddresses };
    case 'openSettings':
    case 'openEditorSettings':
      return { verb: t('Open Settings'), ...openSettings(remedy) };
    default:
      return { verb: t('Try Again'), command: commandIds.refreshServiceAccount };
  }
}

function moreRow(argument: AccountRef, hidden: number): Node {
  return node({
    id: rowId('more', argument),
    label: t('Load More'),
    description: t('{0} more', hidden),
    icon: themeIcon('ellipsis'),
    argument,
    click: { command: commandIds.showMoreKeys },
  });
}

/** A 404 does not say which of the two is unknown, unless its message names just one of them. */
function unknownText(text: string, { projectId, serviceAccountId }: AccountRef): string {
  const [isOfProject, isOfAccount] = [text.includes(projectId), text.includes(serviceAccountId)];
  if (isOfProject === isOfAccount) return t('404: not found');
  return isOfProject ? t('project unknown') : t('account unknown');
}

export interface AccountLook {
  account: ServiceAccount;
  token: TokenState;
  /** Whether app calls use this account's token. */
  active: boolean;
  transient: boolean;
  /** Whether terminals get its token. */
  isInTerminals: boolean;
  /** The keys of the account that are known. */
  keys: readonly Key[];
  /** What came of the last request for them. */
  list: KeysState;
}

/**
 * The row of a service account, that in use with a dot. Its text repeats what its icon and colour say: each that the badge
 * counts is seen at a row. @param now milliseconds since 1970
 */
export function accountRow(
  ref: AccountRef,
  { account, token, active, transient, isInTerminals, keys, list }: AccountLook,
  now: number,
  below: Pick<Look<object>, 'children' | 'isOnItsWay'>,
): Node {
  const { id, name, environment } = account;
  const days = config.expiryWarningDays();
  const state = accountState(token, now, days);
  const text = stateOfAccount(state, now);
  const expiring = expiringKeys(keys, now, days);
  const label = plainText(name ?? id);
  const env = plainText(environment ?? '', 30);
  const keysText = expiring.length > 0 && expiringText(expiring.length);
  const failure = token.kind === 'stored' && listFailure(ref, list, now);
  const failed = failure && failure.text;
  // What is fine is not said beside what is not: "1 key expires · 83 days" would be read as one.
  const isFine = state.kind === 'valid' || state.kind === 'stored';
  const icon = failure && isFine ? failure.icon : accountIcon(state, active, environment);
  const saysState = !isFine || (failed === false && keysText === false);
  // A list that failed for another reason needs another token, too.
  const states = state.kind === 'rejected' ? [text, failed] : [failed, saysState && text];
  // What needs a look stands first: the end of a row is what is cut off.
  const looks = joined(' · ', ...states);
  const isWell = isFine && failed === false && keysText === false;
  const words = isWell
    ? joined(' · ', env, looks)
    : looks === ''
      ? joined(' · ', keysText, env)
      : joined(' · ', looks, env, keysText);
  return node({
    id: rowId('account', ref),
    label,
    // The dot is the icon, unless that says what is wrong.
    description: joined(' ', active && icon.id !== inUse && '●', words),
    context: joined(
      ' ',
      'account',
      isElsewhere(token) ? 'elsewhere' : token.kind,
      active ? 'active' : 'idle',
      isInTerminals && 'inTerminals',
      transient ? 'transient' : 'kept',
    ),
    icon,
    tooltip: [
      joined(' · ', t('Service account {0}', plainText(id)), env),
      ...(active ? [t('Calls of apps use its token.')] : []),
      ...(failed === false ? [] : [t('Its keys could not be listed: {0}', failed)]),
      ...tokenAdvice(token, text, now),
      ...(keysText === false ? [] : [`${keysText} (${keyNames(expiring)})`]),
    ].join('\n'),
    spoken: joined(', ', label, active && t('in use'), env, text, failed, keysText),
    argument: ref,
    ...below,
  });
}

/** Why the keys of an account are not known, unless its token was rejected: that is its state, and by now it may have another. */
function listFailure(
  ref: AccountRef,
  list: KeysState,
  now: number,
): { text: string; icon: vscode.ThemeIcon } | false {
  switch (list.kind) {
    case 'failed': {
      const { error: failure } = list;
      if (failure instanceof DeclinedError) return false;
      if (failure instanceof ServiceError && failure.refusesToken) return false;
      return { text: failedText(ref, list, now), icon: failedIcon(failure) };
    }
    case 'unrecognised':
      return list.raw === undefined
        ? { text: t('empty response'), icon: themeIcon('error', error) }
        : { text: t('unreadable'), icon: themeIcon('json', warning) };
    default:
      return false;
  }
}

function expiringText(count: number): string {
  return count === 1 ? t('1 key expires') : t('{0} keys expire', count);
}

function keyNames(keys: readonly Key[]): string {
  return plainText(keys.map(({ name, id }) => name ?? id ?? '?').join(', '), 200);
}

function tokenAdvice(token: TokenState, text: string, now: number): string[] {
  if (token.kind !== 'stored') return [text, missingToken(token).tooltip ?? []].flat();
  const refused =
    token.refused === undefined
      ? []
      : [t('The service rejected its token ({0}). Set a new one.', token.refused)];
  return [...refused, ...expiryAdvice(token, text, now)];
}

/** Whether there is a token, but for another address than that of now. */
function isElsewhere(token: TokenState): boolean {
  return token.kind === 'none' && token.elsewhere !== undefined;
}

/** What is said where an account has no token to send, and why it has none where that is known. */
export function missingToken(token: Exclude<TokenState, { kind: 'stored' }>): {
  label: string;
  tooltip?: string;
} {
  if (token.kind === 'missing')
    return { label: t('Token missing'), tooltip: t('The secret store of the editor has lost it.') };
  if (token.elsewhere === undefined) return { label: t('No token yet') };
  const address = plainText(token.elsewhere);
  return {
    label: t('Address changed'),
    tooltip: t('Its token was set for {0}, and is sent only there.', address),
  };
}

function expiryAdvice(token: TokenState & { kind: 'stored' }, text: string, now: number): string[] {
  if (token.expiresAt === undefined)
    return [...(token.refused === undefined ? [text] : []), ...(token.isJwt ? [neverExpires()] : [])];
  const date = momentText(token.expiresAt);
  if (token.expiresAt <= now) return [t('Its token expired on {0}.', date)];
  return [t('Its token expires on {0}.', date), ...longLife(token.expiresAt, now)];
}

function stateOfAccount(state: AccountState, now: number): string {
  switch (state.kind) {
    case 'none':
      return t('no token');
    case 'elsewhere':
      return t('address changed');
    case 'missing':
      return t('token missing');
    case 'rejected':
      return t('rejected');
    case 'withoutExpiry':
      return t('token without expiry');
    case 'stored':
      return t('token stored');
    case 'expired':
      return t('expired');
    case 'expiring':
      return t('{0} left', dates.span(state.expiresAt - now));
    case 'valid':
      return dates.span(state.expiresAt - now);
  }
}

/** A token that needs attention gets a red or yellow icon, like those of keys. No environment uses these colours. */
function accountIcon(
  { kind }: AccountState,
  active: boolean,
  environment: string | undefined,
): vscode.ThemeIcon {
  switch (kind) {
    case 'none':
    case 'elsewhere':
      return themeIcon('key', warning);
    case 'missing':
      return themeIcon('key', error);
    case 'rejected':
    case 'expired':
      return statusIcon('expired');
    case 'withoutExpiry':
    case 'expiring':
      return statusIcon('expiring');
    case 'stored':
    case 'valid':
      return themeIcon(active ? inUse : 'circle-outline', environmentColor(environment));
  }
}

function environmentColor(environment: string | undefined): string | undefined {
  if (isProduction(environment)) return 'charts.purple';
  if (environment === 'staging') return 'charts.green';
  return environment === 'dev' ? 'charts.blue' : undefined;
}

/** What a key is shown with. */
interface KeyRowOf {
  /** Whether the key comes from the last known list. */
  stale: boolean;
  /** Milliseconds since 1970. */
  now: number;
}

/** The row of a key. @param index its position in the list, from 0: a key may have neither name nor id */
function keyRow(ref: AccountRef, key: Key, index: number, { stale, now }: KeyRowOf): Node {
  const { id, name, state, expiresAt } = key;
  const status = keyStatus(expiresAt, now, config.expiryWarningDays());
  const argument = { ...ref, ...(id !== undefined && { keyId: id }) };
  return node({
    id: rowId('key', argument, index),
    label: plainText(name ?? id ?? t('Key {0}', index + 1)),
    description: joined(' · ', stateText(state), expiryText(key, status, now)),
    context: id === undefined ? 'key' : 'key known',
    icon: stale
      ? themeIcon('circle-outline', 'disabledForeground')
      : (stateIcon(state) ?? statusIcon(status)),
    tooltip: keyTooltip(key, now),
    argument,
  });
}

function statusIcon(status: KeyStatus): vscode.ThemeIcon {
  switch (status) {
    case 'valid':
      return themeIcon('pass', 'charts.green');
    case 'expiring':
      return themeIcon('warning', warning);
    case 'expired':
      return themeIcon('error', error);
    case 'unknown':
      return themeIcon('question', 'disabledForeground');
  }
}

/** The service recommends expiry dates and rotation (service-interface.md, section 5). */
function longLife(expiresAt: number, now: number): string[] {
  return expiresAt - now > longLifeMs
    ? [t('That is more than a year from now. A shorter lifetime with rotation is safer.')]
    : [];
}

function expiryText({ expiresAt, unreadExpiry }: Key, status: KeyStatus, now: number): string {
  if (expiresAt === undefined) {
    return unreadExpiry === undefined
      ? t('no expiry known')
      : t('expiry not readable: {0}', plainText(unreadExpiry, 40));
  }
  const near = dates.isNear(expiresAt, now);
  if (status === 'expired') {
    return t('expired {0}', near ? dates.relative(expiresAt, now) : dayText(expiresAt));
  }
  return near ? t('{0} left', dates.span(expiresAt - now)) : t('until {0}', dayText(expiresAt));
}

/** The icon of a key that is out of use, whatever its expiry; undefined for any other key. */
function stateIcon(state: KeyState | undefined): vscode.ThemeIcon | undefined {
  if (!isOutOfUse(state)) return undefined;
  return state?.kind === 'revoked' ? themeIcon('circle-slash', error) : themeIcon('debug-pause', warning);
}

/** Empty if the service names no state, or only the usual one. */
function stateText(state: KeyState | undefined): string {
  if (state === undefined || isUsual(state)) return '';
  if (state.kind === 'said') return plainText(state.word);
  return state.kind === 'revoked' ? t('revoked') : t('disabled');
}

function stateLine(state: KeyState): string {
  if (state.kind === 'said') return t('State reported by the service: {0}.', plainText(state.word));
  return state.kind === 'revoked'
    ? t('The service reports it as revoked.')
    : t('The service reports it as disabled.');
}

/** A plain string, never Markdown: all of it comes from the service. */
function keyTooltip({ state, expiresAt, unreadExpiry, createdAt, fields }: Key, now: number): string {
  const lines = [
    ...(state === undefined ? [] : [stateLine(state)]),
    ...(expiresAt === undefined
      ? [
          unreadExpiry === undefined
            ? t('The service reports no expiry date. Keys with one are safer.')
            : t('The service reports an expiry that Runhook cannot read: {0}', plainText(unreadExpiry, 200)),
        ]
      : expiresAt <= now
        ? [t('Expired on {0}.', momentText(expiresAt))]
        : [t('Expires on {0}.', momentText(expiresAt)), ...longLife(expiresAt, now)]),
    ...(createdAt === undefined ? [] : [t('Created on {0}.', momentText(createdAt))]),
    ...fields.slice(0, 40).map(({ name, text }) => `${plainText(name, 60)}: ${plainText(text, 200)}`),
  ];
  return lines.join('\n');
}
