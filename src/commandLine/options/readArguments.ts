import { parseArgs, type ParseArgsConfig } from 'node:util';
import { UsageError } from './usageError.ts';

type Options = NonNullable<ParseArgsConfig['options']>;

/**
 * Reads the arguments of a command.
 * @param names of its arguments that are no options, all of which have to be there
 * @throws UsageError that repeats no value: somebody may have taken a secret for one
 */
export function readArguments<const T extends Options>(
  args: readonly string[],
  options: T,
  names: readonly string[] = [],
) {
  const { values, positionals } = parsed(args, options);
  const missing = names[positionals.length];
  if (missing !== undefined) throw new UsageError(`The ${missing} is missing.`);
  if (positionals.length > names.length) {
    const known = names.length === 0 ? 'options alone' : `the ${names.join(', the ')} and options`;
    throw new UsageError(`There is an argument too many: it takes ${known}.`);
  }
  return { values, positionals };
}

function parsed<const T extends Options>(args: readonly string[], options: T) {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true });
  } catch (error) {
    throw new UsageError(problemOf(error), { cause: error });
  }
}

function problemOf(error: unknown): string {
  const message = error instanceof Error ? error.message : '';
  const option = /'(?:-\w, )?(-[-\w]*)/.exec(message)?.[1] ?? '';
  if (message.startsWith('Unknown option')) return `There is no option ${option}.`;
  return message.includes('does not take')
    ? `The option ${option} takes no value.`
    : `The option ${option} has no value.`;
}

/** What an option has to be given. @throws UsageError where it was not */
export function required(value: string | undefined, option: string): string {
  if (value === undefined) throw new UsageError(`The option --${option} is missing.`);
  return value;
}
