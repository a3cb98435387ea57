import { claimedProject, readClaims } from './token.ts';

/** A token that stands in a text: from `start` up to `end`, in UTF-16 units. */
export interface TokenLeak {
  start: number;
  end: number;
  /** The project that its claims name; absent for a stored token that names none. */
  projectId?: string;
}

/** From the beginning of a word on: a search from each of its characters would take the square of its length. */
const jwt = /(?<![\w-])eyJ[\w-]+\.[\w-]+\.[\w-]*/g;
const tokenCharacter = /[\w.~+/=-]/;

/** Shorter ones stand in many a text by chance. */
const shortestToken = 8;

/**
 * Where a text holds a token: one of those stored, or a JWT whose claims name one of the projects. In the order
 * in which they stand there, each place once.
 */
export function findTokenLeaks(
  text: string,
  stored: readonly string[],
  projectIds: readonly string[],
): TokenLeak[] {
  const leaks = new Map<number, TokenLeak>();
  for (const token of stored) {
    for (const start of places(text, token)) leaks.set(start, leakAt(start, token));
  }
  for (const { 0: token, index } of text.matchAll(jwt)) {
    const leak = leakAt(index, token);
    if (leak.projectId !== undefined && projectIds.includes(leak.projectId)) leaks.set(index, leak);
  }
  return [...leaks.values()].sort((a, b) => a.start - b.start);
}

function leakAt(start: number, token: string): TokenLeak {
  const claims = readClaims(token);
  const projectId = claims && claimedProject(claims);
  return { start, end: start + token.length, ...(projectId !== undefined && { projectId }) };
}

function places(text: string, token: string): number[] {
  if (token.length < shortestToken) return [];
  const found: number[] = [];
  for (let at = text.indexOf(token); at >= 0; at = text.indexOf(token, at + token.length)) {
    // A part of a longer word is something else; what assigns it or ends a sentence is not.
    const before = text.charAt(at - 1);
    const after = text.charAt(at + token.length);
    if (isPart(before, '=/') || isPart(after, './=')) continue;
    found.push(at);
  }
  return found;
}

function isPart(character: string, separators: string): boolean {
  return tokenCharacter.test(character) && !separators.includes(character);
}
