import { t } from '../../../model/text/l10n.ts';
import { plainText } from '../../../model/text/plainText.ts';
import { DeclinedError } from '../../prompts/declinedError.ts';
import { multiStep } from '../../prompts/multiStep.ts';
import type { Prompts } from '../../prompts/prompts.ts';
import type { LastChoices } from '../lastChoices.ts';
import type { SeriesSize } from './seriesRuns.ts';

/** The inclusive limits of how often a run is made, and of how many run at once. Whole numbers. */
export const timesLimits = [2, 100] as const;
export const atOnceLimits = [1, 20] as const;

/** Asks how often to run, and how many at once. Offers the last answers. @throws DeclinedError */
export async function askHowMany(prompts: Prompts, last: LastChoices, appName: string): Promise<SeriesSize> {
  const title = t('Run {0} Many Times', plainText(appName));
  const { times, atOnce } = last.series;
  const answers = await multiStep(
    prompts,
    [
      {
        field: 'times',
        ask: () => ({ title, prompt: t('How many times?'), validate: withinText(timesLimits) }),
      },
      {
        field: 'atOnce',
        ask: () => ({
          title,
          prompt: t('How many at once? 1 runs one after the other.'),
          validate: withinText(atOnceLimits),
        }),
      },
    ],
    { times: String(times), atOnce: String(atOnce) },
  );
  if (answers === undefined) throw new DeclinedError(t('Nothing was run.'));
  const size = { times: Number(answers.times), atOnce: Number(answers.atOnce) };
  await last.rememberSeries(size);
  return size;
}

/** Makes a validator for a whole number within limits. */
function withinText([least, most]: readonly [number, number]): (text: string) => string | undefined {
  return (text) => {
    const number = /^\d{1,9}$/.test(text.trim()) ? Number(text) : NaN;
    return number >= least && number <= most
      ? undefined
      : t('Enter a whole number from {0} to {1}.', least, most);
  };
}
