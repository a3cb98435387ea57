import { secretPlaces, valuePlaces } from '../shared/masking/secretPlaces.ts';
import { claimedProject, readClaims } from '../service/keys/token.ts';

/** A token or webhook secret found in a text: from `start` up to `end`, in UTF-16 units. */
export interface TokenLeak {
  kind: 'token' | 'webhookSecret';
  start: number;
  end: number;
  /** The project that a token's claims name; absent for a stored token that names none. */
  projectId?: string;
}

/** What to search files for. Tokens and secrets stay in memory. */
export interface LeakNeedles {
  /** The stored tokens. */
  tokens: readonly string[];
  /** The webhook secrets that verify deliveries. */
  webhookSecrets: readonly string[];
  projectIds: readonly string[];
}

/** Matches only from the start of a word: trying each of its characters would take quadratic time. */
const jwt = /(?<![\w-])eyJ[\w-]+\.[\w-]+\.[\w-]*/g;

/** Shorter tokens, in characters, occur in text by chance. */
const shortestToken = 8;

/** The most leaks reported per file: nobody reads more. */
const mostLeaks = 100;

/**
 * Finds stored tokens, JWTs whose claims name one of the projects, and webhook secrets in a text. In text order,
 * one leak per position; only the first hundred.
 */
export function findTokenLeaks(text: string, needles: LeakNeedles): TokenLeak[] {
  const leaks = new Map<number, TokenLeak>();
  for (const secret of needles.webhookSecrets) {
    for (const start of secretPlaces(text, secret)) {
      leaks.set(start, { kind: 'webhookSecret', start, end: start + secret.length });
    }
  }
  for (const token of needles.tokens) {
    if (token.length < shortestToken) continue;
    for (const start of valuePlaces(text, token)) leaks.set(start, leakAt(start, token));
  }
  for (const { 0: token, index } of text.matchAll(jwt)) {
    const leak = leakAt(index, token);
    if (leak.projectId !== undefined && needles.projectIds.includes(leak.projectId)) leaks.set(index, leak);
  }
  return [...leaks.values()].sort((a, b) => a.start - b.start).slice(0, mostLeaks);
}

function leakAt(start: number, token: string): TokenLeak {
  const claims = readClaims(token);
  const projectId = claims && claimedProject(claims);
  return {
    kind: 'token',
    start,
    end: start + token.length,
    ...(projectId !== undefined && { projectId }),
  };
}
