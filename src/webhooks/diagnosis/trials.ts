import type { Trial } from '../../model/explanations/explanationPicture.ts';
import { t } from '../../model/text/l10n.ts';
import { bodyChanges } from './bodyChanges.ts';
import type { Diagnosis } from './diagnosis.ts';
import { secretChanges } from './secretChanges.ts';

/** The trials, each with the kinds of causes that it covers, in the order in which a person would look. */
function tried(): [label: string, ...kinds: string[]][] {
  const rows = (table: readonly { kind: string; label: () => string }[]) =>
    table.map(({ kind, label }): [string, string] => [label(), kind]);
  return [
    [t('another secret that is held, or an earlier one'), 'earlierSecret', 'secretOf'],
    ...rows(secretChanges),
    [t('the timestamp in another unit'), 'timestampUnit'],
    [t('another request id, from the headers or the body'), 'requestIdRewritten'],
    [t('other parts signed, or in another order'), 'signedContent'],
    ...rows(bodyChanges),
    [
      t('a signature header written in another way'),
      ...['signaturePrefix', 'signatureInCapitals', 'signatureInBase64', 'signatureDigits'],
    ],
  ];
}

/**
 * The result of each trial; empty if no cause had to be searched for.
 * @param kinds the kinds of causes that were tried
 */
export function trialsOf(diagnosis: Diagnosis, kinds: ReadonlySet<string>): Trial[] {
  const found = new Set('causes' in diagnosis ? diagnosis.causes.map(({ kind }) => kind) : []);
  if (found.size === 0 && kinds.size === 0) return [];
  const isWhole = diagnosis.kind !== 'explained' && !('isCut' in diagnosis && diagnosis.isCut);
  return tried().map(([label, ...of]): Trial => {
    if (of.some((kind) => found.has(kind))) return { label, result: 'fits' };
    if (of.some((kind) => kinds.has(kind))) return { label, result: 'no' };
    return { label, result: isWhole || of.includes('signaturePrefix') ? 'absent' : 'skipped' };
  });
}
