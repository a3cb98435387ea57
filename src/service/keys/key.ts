import { readTimestamp } from '../../shared/text/timestamp.ts';

/** A key of a service account, as far as it could be read. Its secrets are already masked. */
export interface Key {
  id?: string;
  name?: string;
  /** Milliseconds since 1970, like `expiresAt`. */
  createdAt?: number;
  expiresAt?: number;
  /** What the service gives as the expiry, if it cannot be read as one. */
  unreadExpiry?: string;
  /** Absent if the service does not report one. */
  state?: KeyState;
  /** The fields that the service sent, known or not, for the tooltip. Limited in number and length. */
  fields: readonly { name: string; text: string }[];
}

const dayMs = 24 * 60 * 60 * 1000;

/** The status of a key by its expiry; `unknown` if the service gives no expiry. */
export type KeyStatus = 'valid' | 'expiring' | 'expired' | 'unknown';

/** @param now and `expiresAt`: milliseconds since 1970 */
export function keyStatus(expiresAt: number | undefined, now: number, warningDays: number): KeyStatus {
  if (expiresAt === undefined) return 'unknown';
  if (expiresAt <= now) return 'expired';
  return expiresAt - now <= warningDays * dayMs ? 'expiring' : 'valid';
}

/** A key as commands, tools and the command line give it. Times are ISO 8601; what is not known is absent. */
export interface KeyData {
  id?: string;
  name?: string;
  createdAt?: string;
  expiresAt?: string;
  status: KeyStatus;
  /** What the service says of it, apart from its expiry. */
  state?: string;
}

export function keyData({ id, name, createdAt, expiresAt, state }: Key, status: KeyStatus): KeyData {
  return {
    ...(id !== undefined && { id }),
    ...(name !== undefined && { name }),
    ...(createdAt !== undefined && { createdAt: new Date(createdAt).toISOString() }),
    ...(expiresAt !== undefined && { expiresAt: new Date(expiresAt).toISOString() }),
    status,
    ...(state !== undefined && { state: state.kind === 'said' ? state.word : state.kind }),
  };
}

/** Whether anything of a key could be read. */
export function saysSomething({ id, name, createdAt, expiresAt }: Key): boolean {
  return [id, name, createdAt, expiresAt].some((one) => one !== undefined);
}

/** The state of a key as the service reports it, apart from its expiry. */
export type KeyState =
  | { kind: 'revoked' }
  | { kind: 'disabled' }
  /** Any other state, in the service's own word. */
  | { kind: 'said'; word: string };

/**
 * Bare names of the fields that report the state. The interface document does not show the shape of a key
 * (service-interface.md, 4.1).
 */
const revokedNames = ['revoked', 'isrevoked', 'revokedat', 'revokedon', 'revocationdate', 'revocationtime'];
const disabledNames = ['disabled', 'isdisabled', 'disabledat', 'disabledon'];
const enabledNames = ['enabled', 'isenabled', 'active', 'isactive'];
const wordNames = ['status', 'state', 'keystatus', 'keystate', 'tokenstatus', 'tokenstate'];
const tellingNames = new Set([...revokedNames, ...disabledNames, ...enabledNames, ...wordNames]);

/** Words for the normal state of a key. */
const normalWords = /^(?:active|enabled|valid|ok)$/i;

/** The severity of each state: the worst one reported counts. */
const rank: Record<KeyState['kind'], number> = { revoked: 2, disabled: 1, said: 0 };

/** Whether a field with that bare name reports the state of a key. */
export function tellsState(name: string): boolean {
  return tellingNames.has(name);
}

/** @param name a bare name for which `tellsState` is true; @param value with its secrets masked */
export function stateIn(name: string, value: unknown): KeyState | undefined {
  if (revokedNames.includes(name)) return isSet(value) ? { kind: 'revoked' } : undefined;
  if (disabledNames.includes(name)) return isSet(value) ? { kind: 'disabled' } : undefined;
  if (enabledNames.includes(name)) {
    return value === false || value === 'false' ? { kind: 'disabled' } : undefined;
  }
  return stateOfWord(value);
}

/** The worst of the states reported for one key. */
export function worst(states: readonly KeyState[]): KeyState | undefined {
  return states.toSorted((one, other) => rank[other.kind] - rank[one.kind])[0];
}

/** Whether a key in that state cannot be used, whatever its expiry. */
export function isOutOfUse(state: KeyState | undefined): boolean {
  return state?.kind === 'revoked' || state?.kind === 'disabled';
}

/** Whether the state is the normal one, which need not be shown. */
export function isUsual(state: KeyState): boolean {
  return state.kind === 'said' && normalWords.test(state.word);
}

/** Whether a field says that a state applies: by `true`, 1, or the time since when. */
function isSet(value: unknown): boolean {
  return value === true || value === 'true' || value === 1 || readTimestamp(value) !== undefined;
}

/** The longest word for a state, in characters. Longer text is not a state. */
const longestWord = 40;

function stateOfWord(value: unknown): KeyState | undefined {
  if (typeof value !== 'string') return undefined;
  const word = value.trim();
  if (/^revoked$/i.test(word)) return { kind: 'revoked' };
  if (/^disabled$/i.test(word)) return { kind: 'disabled' };
  return word === '' || word.length > longestWord ? undefined : { kind: 'said', word };
}
