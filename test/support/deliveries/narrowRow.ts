import assert from 'node:assert/strict';
import { languages, readBundle } from '../../../scripts/l10n/bundles.ts';
import { useBundle } from '../../../src/shared/text/l10n.ts';
import { textWidth } from '../../../src/shared/text/plainText.ts';

/** As many columns as a side bar of 290 px shows of a row, beside a short name. */
const mostColumns = 27;
const bundles = [{}, ...languages().map((language) => readBundle(language))];

/** A row shows all of a text, in every language. @param text makes it, in the language that is set */
export function assertFitsRow(text: () => string, columns = mostColumns): void {
  for (const bundle of bundles) {
    useBundle(bundle);
    const row = text();
    useBundle({});
    assert.ok(textWidth(row) <= columns, `too long for a row, by ${textWidth(row) - columns}: ${row}`);
  }
}
