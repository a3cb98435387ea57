import { readTimestamp } from '../text/timestamp.ts';

/** What the service says of a key besides its expiry. */
export type KeyState =
  | { kind: 'revoked' }
  | { kind: 'disabled' }
  /** Anything else, in the word of the service. */
  | { kind: 'said'; word: string };

/** By which bare names of fields the state is told: the shape of a key is not shown (service-interface.md, 4.1). */
const revokedNames = ['revoked', 'isrevoked', 'revokedat', 'revokedon', 'revocationdate', 'revocationtime'];
const disabledNames = ['disabled', 'isdisabled', 'disabledat', 'disabledon'];
const enabledNames = ['enabled', 'isenabled', 'active', 'isactive'];
const wordNames = ['status', 'state', 'keystatus', 'keystate', 'tokenstatus', 'tokenstate'];
const tellingNames = new Set([...revokedNames, ...disabledNames, ...enabledNames, ...wordNames]);

/** Words that say no more than that a key is as keys are. */
const usual = /^(?:active|enabled|valid|ok)$/i;

/** How sure each is: the worst that is said counts. */
const rank: Record<KeyState['kind'], number> = { revoked: 2, disabled: 1, said: 0 };

/** Whether a field of that bare name tells the state of a key. */
export function tellsState(name: string): boolean {
  return tellingNames.has(name);
}

/** @param name bare, and one that tells; @param value with its secrets masked */
export function stateIn(name: string, value: unknown): KeyState | undefined {
  if (revokedNames.includes(name)) return isSo(value) ? { kind: 'revoked' } : undefined;
  if (disabledNames.includes(name)) return isSo(value) ? { kind: 'disabled' } : undefined;
  if (enabledNames.includes(name)) {
    return value === false || value === 'false' ? { kind: 'disabled' } : undefined;
  }
  return stateOfWord(value);
}

/** Of what is said of one key, what counts. */
export function worst(states: readonly KeyState[]): KeyState | undefined {
  return states.toSorted((one, other) => rank[other.kind] - rank[one.kind])[0];
}

/** Whether a key in that state is out of use, whenever it expires. */
export function isOutOfUse(state: KeyState | undefined): boolean {
  return state?.kind === 'revoked' || state?.kind === 'disabled';
}

/** Whether the state goes without saying. */
export function isUsual(state: KeyState): boolean {
  return state.kind === 'said' && usual.test(state.word);
}

/** A state is told by `true`, or by the time since when. */
function isSo(value: unknown): boolean {
  return value === true || value === 'true' || value === 1 || readTimestamp(value) !== undefined;
}

/** The longest word, in characters: what is longer is no state. */
const longestWord = 40;

function stateOfWord(value: unknown): KeyState | undefined {
  if (typeof value !== 'string') return undefined;
  const word = value.trim();
  if (/^revoked$/i.test(word)) return { kind: 'revoked' };
  if (/^disabled$/i.test(word)) return { kind: 'disabled' };
  return word === '' || word.length > longestWord ? undefined : { kind: 'said', word };
}
