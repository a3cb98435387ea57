import { isProduction } from '../../../model/projects/environment.ts';
import { plainText } from '../../../model/text/plainText.ts';
import type { Question } from '../../prompts/multiStep.ts';
import type { Choice } from '../../prompts/prompts.ts';
import { t } from '../../../model/text/l10n.ts';

/** The choice of something that is still to be typed. No id and no name holds this character. */
export const another = '\u0000';

/** The environments to choose from, and what is typed where none of them fits. */
export function environmentQuestions<A extends { environment: string; environmentName: string }>(
  title: string,
  current?: string,
): Question<A>[] {
  return [
    {
      field: 'environment',
      ask: () => ({ title: t('{0}: Environment', title), choices: environments(current) }),
    },
    {
      field: 'environmentName',
      applies: (answers) => answers.environment === another,
      ask: () => ({ title, prompt: t('Name of the environment') }),
    },
  ];
}

/** Undefined for none. */
export function chosenEnvironment(answers: {
  environment: string;
  environmentName: string;
}): string | undefined {
  const chosen = answers.environment === another ? answers.environmentName : answers.environment;
  return chosen === '' ? undefined : chosen;
}

/** @param current the one that the account has */
function environments(current = ''): Choice<string>[] {
  const named = [...new Set([current, 'dev', 'staging', 'prod'])].filter((name) => name !== '');
  return [
    ...named.map((name) => ({
      label: plainText(name),
      ...(isProduction(name) && { description: t('calls ask first') }),
      value: name,
    })),
    { label: t('Other…'), value: another },
    { label: t('No environment'), value: '' },
  ];
}
