import type { Trial } from '../../model/explanations/explanationPicture.ts';
import { t } from '../../model/text/l10n.ts';
import type { Diagnosis } from './diagnosis.ts';

/** The trials, each with the kinds of causes that it covers, in the order in which a person would look. */
function tried(): [label: string, ...kinds: string[]][] {
  return [
    [t('another secret that is held, or an earlier one'), 'earlierSecret', 'secretOf'],
    [t('white space or quotation marks around the secret'), 'aroundSecret'],
    [t('"whsec_" before the secret'), 'secretPrefix'],
    [t('the secret decoded from base64 or hexadecimal'), 'secretDecoded'],
    [t('the secret encoded in base64'), 'secretEncoded'],
    [t('the secret in another character set'), 'secretCharset'],
    [t('the timestamp in another unit'), 'timestampUnit'],
    [t('another request id, from the headers or the body'), 'requestIdRewritten'],
    [t('the body with or without a newline at its end'), 'trailingNewline'],
    [t('the body with or without a byte-order mark'), 'byteOrderMark'],
    [t('the JSON of the body written in another way'), 'reserialised'],
    [t('the body with other line endings'), 'lineEndings'],
    [t('the body in another character set'), 'charset'],
    [
      t('a signature header written in another way'),
      ...['signaturePrefix', 'signatureInCapitals', 'signatureInBase64'],
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
