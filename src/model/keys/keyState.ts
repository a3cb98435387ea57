import { readTimestamp } from '../text/timestamp.ts';

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
