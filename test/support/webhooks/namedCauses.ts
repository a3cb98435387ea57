import assert from 'node:assert/strict';
import { outcomeText } from '../../../src/deliveries/outcomeText.ts';
import { verifyingSecrets } from '../../../src/service/diagnosis/causeSearch.ts';
import { type Evidence, diagnose, diagnosisText } from '../../../src/service/diagnosis/diagnosis.ts';
import { verify } from '../../../src/service/signature/signature.ts';
import { assertFitsRow } from '../deliveries/narrowRow.ts';
import { clock } from './signedDelivery.ts';

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
      assertFitsRow(() => {
        const reason = diagnosisText(diagnose(evidence)) ?? '';
        return outcomeText({ verdict, answered: 401, reason }, 300, true);
      });
    });
  }
}
