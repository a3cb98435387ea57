import type { CommandRow } from '../../contract/commandRow.ts';
import { type CommandId, commandsById } from '../../contract/commands.ts';
import { t } from '../../shared/text/l10n.ts';
import { sentences } from '../../shared/text/sentences.ts';

/** What VS Code replaces with a command's answer in tasks.json and launch.json: `${command:…}`, or `${input:…}`. */
export type ConfigurationCall = 'variable' | 'input';

/**
 * How VS Code calls a command to fill in a task or a launch configuration; undefined if the call does not look so.
 * For `${command:…}` it passes what it fills in: the launch configuration, or a list of the variables of a task.
 * For an input it passes only the arguments of that input, so they are compared with the inputs in the files.
 * @param given the arguments of the command
 * @param inputs the inputs in tasks.json and launch.json
 */
export function configurationCall(
  id: CommandId,
  given: readonly unknown[],
  inputs: () => readonly unknown[],
): ConfigurationCall | undefined {
  const [first] = given;
  if (given.length !== 1) return undefined;
  if (isFilledIn(first) && JSON.stringify(first).includes(`\${command:${id}}`)) return 'variable';
  // Few inputs name a command: only the arguments of those are compared.
  return inputs().some((input) => isCallOf(id, first, input)) ? 'input' : undefined;
}

function isFilledIn(given: unknown): given is object {
  if (typeof given !== 'object' || given === null) return false;
  return Array.isArray(given) || ('type' in given && 'request' in given);
}

function isCallOf(id: string, argument: unknown, input: unknown): boolean {
  if (typeof input !== 'object' || input === null) return false;
  const { type, command, args } = input as { type?: unknown; command?: unknown; args?: unknown };
  return type === 'command' && command === id && JSON.stringify(args) === JSON.stringify(argument);
}

/**
 * Why VS Code cannot use the answer of a command: it takes only a text. If the command of a `${command:…}` answers
 * with nothing, VS Code silently drops what was started; for an input, that is a valid answer.
 */
export function withoutTextProblem(id: CommandId, call: ConfigurationCall): string | undefined {
  const { returns, inConfigurations } = commandsById[id];
  if (call === 'variable' ? returns?.type === 'string' : returns === undefined || returns.type === 'string')
    return undefined;
  const problem = t('{0} returns no text for tasks.json or launch.json to use. Nothing was done.', id);
  return sentences(problem, alternativeText(inConfigurations));
}

function alternativeText(other: CommandRow['inConfigurations']): string {
  if (other === undefined) return t('Run it with a keybinding or from the Command Palette instead.');
  return 'command' in other
    ? t('Use {0} instead.', `\${command:runhook.${other.command}}`)
    : t('Use a task of the type "runhook" instead, with {0}.', `"task": "${other.task}"`);
}
