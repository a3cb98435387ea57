/** Something whose expiry is watched: a key, or a stored token. Times are milliseconds since 1970. */
export interface Expiring {
  name: string;
  expiresAt: number;
}

/** What was told before. */
export interface NoticeHistory {
  /** When the last notice was shown. */
  lastShownAt?: number;
  /** The user wants none. */
  never?: boolean;
}

const dayMs = 24 * 60 * 60 * 1000;

/** What expires from now on within so many days, soonest first. What has expired is no news. */
export function expiringSoon(all: readonly Expiring[], now: number, days: number): Expiring[] {
  return all
    .filter(({ expiresAt }) => expiresAt > now && expiresAt - now <= days * dayMs)
    .sort((a, b) => a.expiresAt - b.expiresAt);
}

/** Whether a notice is due: at most one a day, and none for one who wants none. */
export function noticeIsDue({ lastShownAt, never }: NoticeHistory, now: number): boolean {
  return never !== true && (lastShownAt === undefined || Math.abs(now - lastShownAt) >= dayMs);
}
