import { homedir } from 'node:os';
import { resolve } from 'node:path';
import { userDataFolder } from '../../shared/files/userDataFolder.ts';
import { secretProblem } from '../../service/signature/webhookSecret.ts';
import { type SandboxFault, isSandboxFault } from '../../service/sandbox/sandboxFault.ts';
import { givenText } from '../../suite/fixture/givenBytes.ts';
import { UsageError, readNamed } from './readArguments.ts';

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
    throw new UsageError('Use either --secret-env or --secret-file, not both.');
  }
  if (name === undefined && path === undefined) return undefined;
  const secret =
    path === undefined
      ? environment[name ?? '']
      : readNamed('file of --secret-file', path, () =>
          givenText(path, largestSecretFile).replace(/\r?\n$/, ''),
        );
  if (secret === undefined) {
    // The message leaves out the name: the user may have given the secret in its place.
    // guard S122: Arguments that do not fit are never repeated: they may be secrets.
    throw new UsageError('The environment variable that --secret-env names is not set.');
  }
  const problem = secretProblem(secret);
  if (problem !== undefined) throw new UsageError(problem);
  return secret;
}

/** The option of commands that send deliveries to an app. */
export const certificateOptions = { 'accept-local-certificates': { type: 'boolean' } } as const;

export const certificateHelp: readonly (readonly [option: string, meaning: string])[] = [
  ['--accept-local-certificates', 'accepts any certificate of a handler on this machine'],
];

export const storeOptions = { store: { type: 'string' } } as const;

export const storeHelp: readonly (readonly [string, string])[] = [
  [
    '--store DIR',
    'the folder for deliveries (default: runhook in $XDG_DATA_HOME or ~/.local/share, on Windows in %LOCALAPPDATA%)',
  ],
];

/**
 * The folder that deliveries are kept in: the given one, else the default folder of the user.
 * @param given a path, absolute or relative to the working directory
 */
export function storeFolder(
  given: string | undefined,
  { environment = process.env, platform = process.platform, home = homedir() } = {},
): string {
  if (given !== undefined) return resolve(given);
  return userDataFolder(environment, platform, home);
}

/** Faults that need a signature to spoil. */
const ofSignature: readonly SandboxFault[] = [
  'bad-signature',
  'stale-timestamp',
  'missing-header',
  'body-changed',
];

/** The faults that `send` supports. It sends one webhook, so faults of answers, or of two webhooks, are left out. */
export const sentFaults: readonly SandboxFault[] = [...ofSignature, 'repeat', 'slow', 'hang'];

/**
 * The fault of that name, as a set.
 * @param isSigned whether the webhook is signed anew
 * @throws UsageError if there is no such fault, or it needs a signature and there is none
 */
export function readFault(name: string | undefined, isSigned: boolean): ReadonlySet<SandboxFault> {
  if (name === undefined) return new Set();
  if (!isSandboxFault(name) || !sentFaults.includes(name)) {
    throw new UsageError(`The fault must be one of ${sentFaults.join(', ')}.`);
  }
  if (ofSignature.includes(name) && !isSigned) {
    throw new UsageError(
      `The fault ${name} needs the secret that signs the webhook: --secret-env or --secret-file.`,
    );
  }
  return new Set([name]);
}
