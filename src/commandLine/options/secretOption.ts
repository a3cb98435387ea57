import { secretProblem } from '../../model/secrets/webhookSecret.ts';
import { givenText } from '../../suite/files/givenBytes.ts';
import { readNamed, UsageError } from './readArguments.ts';

/** The sources of a secret. No option takes the secret itself: every program on the machine can read arguments. */
export const secretOptions = { 'secret-env': { type: 'string' }, 'secret-file': { type: 'string' } } as const;

/** In bytes; one that is far too long is told of, too. */
const largestSecretFile = 1024 * 1024;

export type SecretValues = { [Name in keyof typeof secretOptions]?: string | undefined };

/** The options in a usage line, and their meaning. */
export const secretUsage = '--secret-env NAME | --secret-file PATH';
export const secretHelp: readonly (readonly [string, string])[] = [
  ['--secret-env NAME', 'the environment variable that holds the webhook secret'],
  ['--secret-file PATH', 'the file that holds it; a line break at its end does not count'],
];

/**
 * The webhook secret; undefined if no option names a source.
 * @throws UsageError if the named source holds no valid secret
 */
export function readSecret(values: SecretValues, environment = process.env): string | undefined {
  const { 'secret-env': name, 'secret-file': path } = values;
  if (name !== undefined && path !== undefined) {
    throw new UsageError('The secret comes from --secret-env or from --secret-file, not from both.');
  }
  if (name === undefined && path === undefined) return undefined;
  const secret =
    path === undefined
      ? environment[name ?? '']
      : readNamed('file of the secret', () => givenText(path, largestSecretFile).replace(/\r?\n$/, ''));
  if (secret === undefined) {
    // The message leaves out the name: the user may have given the secret in its place.
    // guard S122: Arguments that do not fit are never repeated: they may be secrets.
    throw new UsageError('There is no environment variable of the name that --secret-env gives.');
  }
  const problem = secretProblem(secret);
  if (problem !== undefined) throw new UsageError(problem);
  return secret;
}
