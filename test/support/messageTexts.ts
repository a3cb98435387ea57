import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../scripts/checkout.ts';

/** The messages of the sources, in English. */
export const sourceBundleText: ReadonlySet<string> = new Set(
  Object.keys(
    JSON.parse(readFileSync(join(root, 'l10n', 'bundle.l10n.json'), 'utf8')) as Record<string, unknown>,
  ),
);
