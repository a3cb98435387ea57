import type { Hits } from '../deliveries/shownDeliveries.ts';
import { t } from '../text/l10n.ts';

/** How many fit of all that are kept: `12 of 500`. */
export function hitsText({ hits, hasAllHits, kept }: Hits): string {
  return t('{0} of {1}', hasAllHits ? hits : `${hits}+`, kept);
}
