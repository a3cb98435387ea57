import assert from 'node:assert/strict';
import { accountState, expiringKeys, needsLook } from '../../../../src/editor/projects/accountState.ts';
import type { TokenState } from '../../../../src/editor/projects/tokenState.ts';

const dayMs = 86_400_000;
const now = Date.parse('2026-11-20T12:00:00Z');
const inDays = (days: number) => now + days * dayMs;

describe('the state of a service account', () => {
  const stored = { kind: 'stored', isJwt: true } as const;
  const rows: [token: TokenState, kind: string, counts: boolean][] = [
    [{ kind: 'none' }, 'none', false],
    [{ kind: 'missing' }, 'missing', true],
    [stored, 'withoutExpiry', false],
    [{ kind: 'stored', isJwt: false }, 'stored', false],
    [{ ...stored, expiresAt: inDays(83) }, 'valid', false],
    [{ ...stored, expiresAt: inDays(14) }, 'expiring', true],
    [{ ...stored, expiresAt: inDays(15) }, 'valid', false],
    [{ ...stored, expiresAt: now }, 'expired', true],
    // What the service last said beats the date, until the token has expired.
    [{ ...stored, expiresAt: inDays(83), refused: 401 }, 'rejected', true],
    [{ ...stored, expiresAt: inDays(3), refused: 403 }, 'rejected', true],
    [{ kind: 'stored', isJwt: false, refused: 403 }, 'rejected', true],
    [{ ...stored, expiresAt: inDays(-1), refused: 401 }, 'expired', true],
  ];
  for (const [token, kind, counts] of rows) {
    it(`is ${kind} for ${JSON.stringify(token)}, and ${counts ? 'one' : 'none'} for the badge`, () => {
      const state = accountState(token, now, 14);
      assert.deepEqual([state.kind, needsLook(state)], [kind, counts]);
    });
  }

  it('counts the keys that expire soon and are in use', () => {
    const soon = inDays(4);
    const keys = [
      { id: 'soon', expiresAt: soon },
      { id: 'later', expiresAt: inDays(40) },
      { id: 'gone', expiresAt: inDays(-4) },
      { id: 'never' },
      { id: 'revoked', expiresAt: soon, state: { kind: 'revoked' as const } },
      { id: 'said', expiresAt: soon, state: { kind: 'said' as const, word: 'active' } },
    ];
    assert.deepEqual(
      expiringKeys(keys, now, 14).map(({ id }) => id),
      ['soon', 'said'],
    );
  });
});
