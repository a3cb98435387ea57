import type { Hits } from '../deliveries/shownDeliveries.ts';
import { t } from '../text/l10n.ts';

/** How many of the kept deliveries match: `12 of 500`. */
export function hitsText({ hits, hasAllHits, kept }: Hits): string {
  return t('{0} of {1}', hasAllHits ? hits : `${hits}+`, kept);
}
