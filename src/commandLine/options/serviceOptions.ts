import { createInterface } from 'node:readline/promises';
import { ManagementClient } from '../../service/client/managementClient.ts';
import { createFetchTransport } from '../../service/client/fetchTransport.ts';
import type { Transport } from '../../service/client/transport.ts';
import { originsInClear } from '../../service/endpoints.ts';
import { cleanToken } from '../../service/keys/token.ts';
import { typedServiceAddress } from '../../service/typedAddress.ts';
import { oneLine } from '../../shared/text/plainText.ts';
import { UserError } from '../../shared/text/userError.ts';
import { givenText } from '../../suite/fixture/givenBytes.ts';
import { failed } from '../failed.ts';
import { printError } from '../print.ts';
import { version } from '../version.ts';
import { UsageError, readNamed } from './readArguments.ts';

/** Where the service is, and what proves who calls it. No option takes the token itself. */
export const serviceOptions = {
  project: { type: 'string' },
  'base-url': { type: 'string' },
  'proxy-url': { type: 'string' },
  'token-file': { type: 'string' },
  'allow-http': { type: 'boolean' },
} as const;

export const agreementOptions = { yes: { type: 'boolean' } } as const;

type ServiceValues = { [Name in keyof typeof serviceOptions]?: string | boolean | undefined };

/** In bytes. */
const largestTokenFile = 64 * 1024;
/** How long a call of the management API may take, in milliseconds. */
const managementTimeoutMs = 30_000;

export const userAgent = `Runhook/${version()}`;

/** Node reaches the network as its own settings say: NODE_USE_ENV_PROXY, NODE_EXTRA_CA_CERTS. */
export function transport(): Transport {
  return createFetchTransport((...call) => fetch(...call));
}

/** The management API at an address, called with this token. */
export function managementClient(baseUrl: string, token: string): ManagementClient {
  return new ManagementClient({
    ...{ transport: transport(), userAgent, timeoutMs: managementTimeoutMs },
    service: { baseUrl, proxyUrl: '' },
    token,
  });
}

/** @throws UsageError if the option is missing */
export function required(value: string | undefined, option: string): string {
  if (value !== undefined && value !== '') return value;
  throw new UsageError(`The option --${option} is missing.`);
}

/**
 * The address of the management API (`base-url`) or of the run proxy (`proxy-url`).
 * @param values absent where the program has no such options
 * @throws UsageError if there is none, it is not valid, or a token would be readable on the way to it
 */
export function readServiceAddress(
  values: ServiceValues | undefined,
  option: 'base-url' | 'proxy-url',
  environment = process.env,
): string {
  const variable = `RUNHOOK_${option.toUpperCase().replace('-', '_')}`;
  const typed = (values?.[option] as string | undefined) ?? environment[variable] ?? '';
  let address: string;
  try {
    address = typedServiceAddress(typed);
  } catch (error) {
    const where = values?.[option] === undefined ? variable : `--${option}`;
    // guard S122: Arguments that do not fit are never repeated: they may be secrets.
    throw new UsageError(`The address of ${where} is not an http or https address without a user name.`, {
      cause: error,
    });
  }
  if (address === '') {
    const how = values === undefined ? 'set' : `--${option}, or`;
    throw new UsageError(`The address is missing: ${how} ${variable}.`);
  }
  const [inClear] = originsInClear({ baseUrl: address, proxyUrl: '' });
  // guard S73: An `http://` address of another machine is refused unless told.
  if (inClear !== undefined && values?.['allow-http'] !== true) {
    const how = values === undefined ? 'use https' : 'use https, or --allow-http';
    throw new UsageError(`The token could be read on the way to ${inClear}: ${how}.`);
  }
  return address;
}

/** @throws UsageError if there is no token, or it is none */
export function readToken(values: ServiceValues, environment = process.env): string {
  const path = values['token-file'] as string | undefined;
  const text =
    path === undefined
      ? environment['RUNHOOK_TOKEN']
      : readNamed('file of --token-file', path, () => givenText(path, largestTokenFile));
  if (text === undefined) throw new UsageError('The token is missing: RUNHOOK_TOKEN, or --token-file.');
  try {
    return cleanToken(text);
  } catch (error) {
    const where = path === undefined ? 'RUNHOOK_TOKEN' : '--token-file';
    throw new UsageError(failed(`The token of ${where} cannot be used`, error).message, { cause: error });
  }
}

/**
 * Asks in the terminal whether something may be done.
 * @param what a question without its mark: `Apply GPUs 2 to hello at https://…`
 * @param declined what the user is told who does not agree
 * @throws UsageError if no terminal can ask, and `--yes` is not given; UserError if the answer is no
 */
export async function agree(
  what: string,
  values: { yes?: boolean | undefined },
  declined = 'Nothing was sent.',
): Promise<void> {
  if (values.yes === true) return;
  if (!process.stdin.isTTY || !process.stderr.isTTY) {
    throw new UsageError('There is no terminal to ask in: add --yes.');
  }
  const asking = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const answer = await asking.question(`${oneLine(what)}? [y/N] `);
    if (!/^y(?:es)?$/i.test(answer.trim())) throw new UserError(declined);
  } finally {
    asking.close();
  }
}

/** Says a warning that does not keep from anything. */
export function warn(sentence: string): void {
  printError(`warning: ${sentence}`);
}
