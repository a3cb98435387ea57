import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../../scripts/checkout.ts';

/** All translatable messages in English. */
export const englishMessages: ReadonlySet<string> = new Set(
  Object.keys(
    JSON.parse(readFileSync(join(root, 'l10n', 'bundle.l10n.json'), 'utf8')) as Record<string, unknown>,
  ),
);
