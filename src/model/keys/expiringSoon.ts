/** Something whose expiry is watched: a key, or a stored token. Times are milliseconds since 1970. */
export interface Expiring {
  name: string;
  expiresAt: number;
}

const dayMs = 24 * 60 * 60 * 1000;

/** What expires from now on within so many days, soonest first. What has expired is no news. */
export function expiringSoon(all: readonly Expiring[], now: number, days: number): Expiring[] {
  return all
    .filter(({ expiresAt }) => expiresAt > now && expiresAt - now <= days * dayMs)
    .sort((a, b) => a.expiresAt - b.expiresAt);
}
