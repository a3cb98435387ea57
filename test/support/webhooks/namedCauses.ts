import assert from 'node:assert/strict';
import { languages, readBundle } from '../../../scripts/l10n/bundles.ts';
import { outcomeText } from '../../../src/deliveries/outcomeText.ts';
import { verifyingSecrets } from '../../../src/service/diagnosis/causeSearch.ts';
import { type Evidence, diagnose, diagnosisText } from '../../../src/service/diagnosis/diagnosis.ts';
import { verify } from '../../../src/service/signature/signature.ts';
import { useBundle } from '../../../src/shared/text/l10n.ts';
import { textWidth } from '../../../src/shared/text/plainText.ts';
import { clock } from './signedDelivery.ts';

/** As many columns as a narrow side bar shows of a row, beside a short name. */
const mostColumns = 37;
const bundles = languages().map((language) => readBundle(language));

/** A delivery with one thing wrong, the kind of the cause that is to be named, and words of its text. */
export type NamedCause = [what: string, Evidence, cause: string, words: RegExp];

/** One test for each. */
export function itNames(cases: readonly NamedCause[]): void {
  for (const [what, evidence, cause, words] of cases) {
    it(what, () => {
      const verdict = verify(
        evidence.headers,
        evidence.body,
        verifyingSecrets(evidence).map((held) => held.secret),
        clock,
        300,
      ).verdict;
      assert.ok(verdict === 'mismatch' || verdict === 'malformed', `it is broken: ${verdict}`);
      const diagnosis = diagnose(evidence);
      assert.ok(diagnosis.kind === 'explained', diagnosis.kind);
      assert.deepEqual(
        diagnosis.causes.map(({ kind }) => kind),
        [cause],
      );
      assert.match(diagnosisText(diagnosis) ?? '', words);
      for (const bundle of [{}, ...bundles]) {
        useBundle(bundle);
        const reason = diagnosisText(diagnose(evidence)) ?? '';
        const row = outcomeText({ verdict, answered: 401, reason });
        useBundle({});
        assert.ok(textWidth(row) <= mostColumns, `too long for a row: ${row}`);
      }
    });
  }
}
