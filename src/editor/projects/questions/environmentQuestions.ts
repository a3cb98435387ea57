import { isProduction } from '../../../model/projects/environment.ts';
import { plainText } from '../../../model/text/plainText.ts';
import type { Question } from '../../prompts/multiStep.ts';
import type { Choice } from '../../prompts/prompts.ts';
import { t } from '../../../model/text/l10n.ts';

/** The value of a choice whose actual value is typed next. No id and no name contains this character. */
export const another = '\u0000';

/** Asks for an environment: first a choice, then a name if none of the choices fits. */
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

/** The environment that was picked or typed; undefined for none. */
export function chosenEnvironment(answers: {
  environment: string;
  environmentName: string;
}): string | undefined {
  const chosen = answers.environment === another ? answers.environmentName : answers.environment;
  return chosen === '' ? undefined : chosen;
}

/** @param current the current environment of the account */
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
