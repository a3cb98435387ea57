import { readTimestamp } from '../text/timestamp.ts';

/** What the service says of a key besides its expiry. */
export type KeyState =
  | { kind: 'revoked' }
  | { kind: 'disabled' }
  /** Anything else, in the word of the service. */
  | { kind: 'said'; word: string };

/** What a field tells of the state, by its bare name. The shape of a key is not shown (service-interface.md, 4.1). */
const tellers: Record<string, (value: unknown) => KeyState | undefined> = {};

/** @param kind told by `true`, or by a point in time */
function tell(kind: 'revoked' | 'disabled', names: readonly string[]): void {
  for (const name of names) tellers[name] = (value) => (isSo(value) ? { kind } : undefined);
}
tell('revoked', ['revoked', 'isrevoked', 'revokedat', 'revokedon', 'revocationdate', 'revocationtime']);
tell('disabled', ['disabled', 'isdisabled', 'disabledat', 'disabledon']);
for (const name of ['enabled', 'isenabled', 'active', 'isactive']) {
  tellers[name] = (value) => (value === false || value === 'false' ? { kind: 'disabled' } : undefined);
}
for (const name of ['status', 'state', 'keystatus', 'keystate', 'tokenstatus', 'tokenstate']) {
  tellers[name] = stateOfWord;
}

/** Words that say no more than that a key is as keys are. */
const usual = /^(?:active|enabled|valid|ok)$/i;

/** How sure each is: the worst that is said counts. */
const rank: Record<KeyState['kind'], number> = { revoked: 2, disabled: 1, said: 0 };

/** Whether a field of that bare name tells the state of a key. */
export function tellsState(name: string): boolean {
  return Object.hasOwn(tellers, name);
}

/** @param name bare, and one that tells; @param value with its secrets masked */
export function stateIn(name: string, value: unknown): KeyState | undefined {
  return tellsState(name) ? tellers[name]?.(value) : undefined;
}

/** Of two states the one that counts. */
export function worse(one: KeyState | undefined, other: KeyState | undefined): KeyState | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return rank[other.kind] > rank[one.kind] ? other : one;
}

/** Whether a key in that state is out of use, whenever it expires. */
export function isOutOfUse(state: KeyState | undefined): boolean {
  return state?.kind === 'revoked' || state?.kind === 'disabled';
}

/** Whether the state goes without saying. */
export function isUsual(state: KeyState): boolean {
  return state.kind === 'said' && usual.test(state.word);
}

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
