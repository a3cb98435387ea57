import type { Field } from '../../../src/model/settings/appSettings.ts';

/** Valid and invalid texts for a field: the limits, values beyond them, and text that is not a number. */
export function fieldSamples(field: Field): { good: string[]; bad: [text: string, message: RegExp][] } {
  if (field.kind === 'choice') return { good: ['CPU', 'TURING_T4'], bad: [] };
  const { minimum, maximum } = field;
  const notANumber: [string, RegExp] = ['many', /plain digits/];
  const below: [string, RegExp] = [(minimum - 1).toString(), new RegExp(`^Enter ${minimum} or more\\.$`)];
  if (maximum === undefined) {
    return {
      good: [minimum.toString(), Number.MAX_SAFE_INTEGER.toString()],
      bad: [below, ['9007199254740992', /cannot be sent exactly/], notANumber],
    };
  }
  const above: [string, RegExp] = [(maximum + 1).toString(), new RegExp(`^Enter ${maximum} or less\\.$`)];
  return { good: [minimum.toString(), maximum.toString()], bad: [below, above, notANumber] };
}
