import { existsSync } from 'node:fs';
import type { Relay, RelayLogEntry } from '../../relay/relay.ts';
import { UserError } from '../../shared/text/userError.ts';
import { noPort } from '../failed.ts';
import { readAddress, readArguments, readPort, UsageError } from '../options/readArguments.ts';
import { printJson, printWhatIsRead, untilInterrupted } from '../print.ts';

/** `runhook relay`: takes deliveries for the members of a team, on NATS JetStream, until it is interrupted. */
export async function relayCommand(args: readonly string[]): Promise<number> {
  const options = {
    nats: { type: 'string' },
    host: { type: 'string' },
    port: { type: 'string' },
    replicas: { type: 'string' },
    'join-token-env': { type: 'string' },
    'public-url': { type: 'string' },
  } as const;
  const { values } = readArguments(args, options);
  const { replicas = '1', host = '127.0.0.1' } = values;
  if (!/^[135]$/.test(replicas)) throw new UsageError('The number of replicas must be 1, 3 or 5.');
  const publicUrl = values['public-url'];
  const relayOptions = {
    nats: readServers(values.nats ?? process.env['NATS_URL']),
    replicas: Number(replicas),
    ...{ host, port: readPort(values.port) },
    publicUrl: publicUrl === undefined ? undefined : readAddress(publicUrl, 'public-url').href,
    joinToken: readJoinToken(values['join-token-env']),
    log: (entry: RelayLogEntry) => printJson({ time: new Date().toISOString(), ...entry }),
  };
  printWhatIsRead();
  const interrupted = untilInterrupted();
  const { Relay } = await loadRelay();
  const relay = await Relay.start(relayOptions).catch((error: unknown) => {
    throw noPort('The relay cannot listen', error);
  });
  await interrupted;
  await relay.end();
  return 0;
}

/** The VSIX goes without the relay, since no window runs one. */
async function loadRelay(): Promise<{ Relay: typeof Relay }> {
  try {
    return await import('../../relay/relay.ts');
  } catch (error) {
    if (existsSync(new URL('./relay.cjs', import.meta.url))) throw error;
    throw new UserError('The relay is only in the npm package, not in the extension.', {
      cause: error,
    });
  }
}

/** @throws UsageError that repeats nothing, since an address may hold a password */
function readServers(text = ''): string[] {
  const servers = text.split(',').map((one) => one.trim());
  if (servers.every((one) => /^(?:nats|tls):\/\/[^\s/]+\/?$/.test(one))) return servers;
  throw new UsageError('Set --nats or NATS_URL to nats://HOST:PORT, or to several, separated by commas.');
}

/** @throws UsageError */
function readJoinToken(name: string | undefined): string | undefined {
  if (name === undefined) return undefined;
  const token = process.env[name] ?? '';
  if (token.length >= 16) return token;
  throw new UsageError(
    'The environment variable that --join-token-env names must hold a token of 16 characters or more.',
  );
}
