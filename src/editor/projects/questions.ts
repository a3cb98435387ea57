import { cleanToken, tokenWarnings } from '../../service/keys/token.ts';
import { isProduction } from '../../service/projects/environment.ts';
import type { Project, ServiceAccount } from '../../service/projects/project.ts';
import { refusal } from '../../shared/http/failureReason.ts';
import { t } from '../../shared/text/l10n.ts';
import { sentences } from '../../shared/text/sentences.ts';
import { plainText } from '../../shared/text/plainText.ts';
import {
  type Choice,
  DeclinedError,
  type InputOptions,
  type Prompts,
  type Question,
} from '../kit/prompts.ts';
import { apiKeysLink } from './apiKeysPage.ts';

/** A call to an app that is about to be made. */
export interface AppCall {
  /** The subject of a question: "Run hello". */
  action: string;
  /** What the call does, line by line. Called only if the question is asked. */
  detail: () => readonly string[];
  /** Called before each question about the call. */
  asks?: () => void;
  /** The label of the button that confirms: "Run". */
  verb: string;
}

/**
 * Asks for confirmation before a call under an account whose environment is production.
 * @throws DeclinedError
 */
export async function confirmProduction(
  prompts: Prompts,
  { id, name }: Project,
  account: ServiceAccount,
  { action, detail, verb, asks }: AppCall,
): Promise<void> {
  if (!isProduction(account.environment)) return;
  asks?.();
  const place = t(
    'Project {0}, service account {1}.',
    plainText(name ?? id),
    plainText(account.name ?? account.id),
  );
  const agreed = await prompts.confirm(
    t('{0} in {1}?', plainText(action), plainText(account.environment ?? '')),
    [...detail(), place].join('\n'),
    verb,
  );
  if (!agreed) throw new DeclinedError(t('{0} was not confirmed.', action));
}

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
      ask: () => ({ title, choices: environments(current) }),
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
      ...(isProduction(name) && { description: t('asks before each call') }),
      value: name,
    })),
    { label: t('Other…'), value: another },
    { label: t('No environment'), value: '' },
  ];
}

/** A token passed by a caller. It is cleaned, since it may have been pasted. @throws UserError if it can be none */
export function givenToken(token: string | undefined): string | undefined {
  return token === undefined ? undefined : cleanToken(token);
}

/**
 * The question for the token of an account. The input is hidden. A token that no header can carry is rejected at
 * once. An odd token gets a warning at once, and can still be entered. A button opens the page of the dashboard that
 * creates tokens.
 * @param projects says which project is the sandbox, which makes tokens itself
 * @param options.mayBeEmpty whether the user can leave it empty
 * @param options.elsewhere the origin of another address that the account has a token for
 */
export function tokenQuestion(
  projects: { isTransient(projectId: string): boolean },
  projectId: string,
  { id, name }: ServiceAccount,
  title: string,
  { mayBeEmpty = false, elsewhere }: { mayBeEmpty?: boolean; elsewhere?: string | undefined } = {},
): InputOptions {
  const shown = plainText(name ?? id);
  const prompt = () => {
    if (projects.isTransient(projectId))
      return t('Token of the service account {0}; "Copy New Sandbox Token" in its menu makes one', shown);
    if (mayBeEmpty) return t('Token of the service account {0}; leave it empty to set it later', shown);
    if (elsewhere === undefined) return t('Token of the service account {0}', shown);
    return t('Token of the service account {0}; the stored one was set for {1}', shown, elsewhere);
  };
  return {
    title,
    prompt: prompt(),
    ...apiKeysLink(),
    password: true,
    validate: (text) => (mayBeEmpty && text.trim() === '' ? undefined : refusal(() => cleanToken(text))),
    warn: (text) => (text.trim() === '' ? undefined : warningOf(text, projectId)),
  };
}

function warningOf(text: string, projectId: string): string | undefined {
  return sentences(...tokenWarnings(cleanToken(text), projectId, Date.now())) || undefined;
}
