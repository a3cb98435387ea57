import { existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { parseArgs, type ParseArgsConfig } from 'node:util';
import { typedAddress } from '../../service/typedAddress.ts';
import { causeCode } from '../../shared/http/failureReason.ts';
import { UserError } from '../../shared/text/userError.ts';
import { failed } from '../failed.ts';

/** Invalid arguments: the program prints its usage and exits with 2. */
export class UsageError extends UserError {
  override readonly name = 'UsageError';
}

type Options = NonNullable<ParseArgsConfig['options']>;

/**
 * Reads the arguments of a command.
 * @param names the names of the positional arguments, all of which are required
 * @throws UsageError that repeats no value, since a value may be a secret given by mistake
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
    throw new UsageError(`Too many arguments: it takes ${known}.`);
  }
  return { values, positionals };
}

/**
 * The same for a command that takes one or more positional arguments of one kind.
 * @throws UsageError
 */
export function readOpenArguments<const T extends Options>(
  args: readonly string[],
  options: T,
  name: string,
) {
  const { values, positionals } = parsed(args, options);
  if (positionals.length === 0) throw new UsageError(`The ${name} is missing.`);
  return { values, positionals };
}

function parsed<const T extends Options>(args: readonly string[], options: T) {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true });
  } catch (error) {
    throw new UsageError(problemOf(error, options), { cause: error });
  }
}

/** What Node says of an option that is named as Runhook itself would name one. */
const plainOption = /^Unknown option '(?=[^']{3,24}')(--[a-z]+(?:-[a-z]+)*)'/;

function problemOf(error: unknown, options: Options): string {
  const message = error instanceof Error ? error.message : '';
  const option = /'(?:-\w, )?(--[-\w]*)/.exec(message)?.[1] ?? '';
  if (message.startsWith('Unknown option') || !Object.hasOwn(options, option.slice(2))) {
    // guard S122: Arguments that do not fit are never repeated: they may be secrets, unless they are plain words.
    const plain = plainOption.exec(message)?.[1];
    return plain === undefined ? 'There is no such option.' : `There is no option ${plain}.`;
  }
  return message.includes('does not take')
    ? `The option ${option} takes no value.`
    : `The option ${option} has no value.`;
}

/** Reads a port. Without a text it is 0, which means any free port. @throws UsageError */
export function readPort(text = '0'): number {
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > 65535)
    throw new UsageError('The port must be a whole number up to 65535.');
  return port;
}

/** Reads how old a timestamp may be, in seconds; 0 does not check it. Undefined without a text. @throws UsageError */
export function readTolerance(text: string | undefined): number | undefined {
  if (text === undefined || /^\d{1,9}$/.test(text)) return text === undefined ? undefined : Number(text);
  throw new UsageError('The tolerance must be a whole number of seconds.');
}

/**
 * An address as the editor takes it too: `localhost:3000/hook`, `4100`.
 * @throws UsageError if it is none, or has a password: every program on the machine can read arguments
 */
export function readAddress(text: string, option: string): URL {
  try {
    return typedAddress(text);
  } catch (error) {
    throw new UsageError(
      text.includes('@')
        ? `Leave the user name and the password out of --${option}.`
        : `The address of --${option} is not an http or https address.`,
      { cause: error },
    );
  }
}

/** Reads what an argument gives, a file if there is a path. @throws UsageError that says what cannot be read, and why */
export function readNamed<T>(what: string, path: string | undefined, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw new UsageError(unread(what, path, error), { cause: error });
  }
}

function unread(what: string, path: string | undefined, error: unknown): string {
  if (path !== undefined && existsSync(path))
    return failed(`The ${what} ${path} cannot be read`, error).message;
  // guard S122: Arguments that do not fit are never repeated: they may be secrets.
  if (path === undefined || causeCode(error) !== 'ENOENT') {
    return failed(`The ${what} cannot be read`, error).message;
  }
  let folder = resolve(path);
  while (!existsSync(folder)) folder = dirname(folder);
  return `The ${what} cannot be read: nothing in ${folder} has that name.`;
}
