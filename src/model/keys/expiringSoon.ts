const dayMs = 24 * 60 * 60 * 1000;

/**
 * Which keys and tokens expire from now on within so many days, soonest first. What has expired is no news.
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
