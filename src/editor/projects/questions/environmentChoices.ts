import { t } from '../../../model/text/l10n.ts';
import { plainText } from '../../../model/text/plainText.ts';
import type { Choice } from '../../prompts/prompts.ts';
import { isProduction } from '../../../model/projects/environment.ts';

/** The choice of an environment that is not in the list. */
export const otherEnvironment = Symbol('other');

/** A name, one that is still to be typed, or none. */
export type ChosenEnvironment = string | typeof otherEnvironment | undefined;

/** The environments to choose from. @param current the one that the account has */
export function environmentChoices(current: string | undefined): Choice<ChosenEnvironment>[] {
  const usual = ['dev', 'staging', 'prod'];
  const named = current === undefined || usual.includes(current) ? usual : [current, ...usual];
  return [
    ...named.map((name) => ({
      label: plainText(name),
      ...(isProduction(name) && { description: t('calls ask first') }),
      value: name,
    })),
    { label: t('Other…'), value: otherEnvironment },
    { label: t('No environment'), value: undefined },
  ];
}
