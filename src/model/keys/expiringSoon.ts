const dayMs = 24 * 60 * 60 * 1000;

/**
 * The keys and tokens that expire within the next `days` days, soonest first. Expired ones are left out.
 * @param now and `expiresAt`: milliseconds since 1970
 */
export function expiringSoon<T extends { expiresAt: number }>(
  all: readonly T[],
  now: number,
  days: number,
): T[] {
  return all
    .filter(({ expiresAt }) => expiresAt > now && expiresAt - now <= days * dayMs)
    .sort((a, b) => a.expiresAt - b.expiresAt);
}
