import { homedir } from 'node:os';
import { parseHttpUrl } from '../../model/service/endpoints.ts';
import type { ListenerSettings } from '../../model/processes/listenerProtocol.ts';
import { KeptListener } from '../deliveries/keptListener.ts';
import { printJson, printLine } from '../print.ts';
import { readArguments } from '../options/readArguments.ts';
import { readPort } from '../options/readPort.ts';
import { readSecret, secretOptions } from '../options/secretOption.ts';
import { storeFolder, storeOptions } from '../options/storeFolder.ts';
import { untilAsked } from '../untilAsked.ts';
import { UsageError } from '../options/usageError.ts';

/** `runhook listen`: takes deliveries until it is ended, keeps them, and prints a line for each. */
export async function listenCommand(args: readonly string[]): Promise<number> {
  const options = {
    port: { type: 'string' },
    'forward-to': { type: 'string' },
    json: { type: 'boolean' },
    ...secretOptions,
    ...storeOptions,
  } as const;
  const { values } = readArguments(args, options);
  const { env: environment, platform } = process;
  const secret = readSecret(values, environment);
  const folder = storeFolder(values.store, { environment, platform, home: homedir() });
  const isJson = values.json ?? false;
  const port = readPort(values.port);
  const settings = settingsOf(secret, values['forward-to']);
  const listener = new KeptListener({ folder, port, settings, isJson });
  const asked = untilAsked();
  await listener.start((got) => {
    const url = `http://127.0.0.1:${got}`;
    if (isJson) printJson({ listening: { port: got, url } });
    else printLine(`Runhook listens on ${url} (this machine only) and keeps deliveries in ${folder}.`);
  });
  await asked;
  await listener.end();
  return 0;
}

/** As in the editor, where nothing is set. */
function settingsOf(secret: string | undefined, forwardTo: string | undefined): ListenerSettings {
  return {
    secrets: secret === undefined ? [] : [{ secret, owner: { kind: 'default' } }],
    toleranceSeconds: 300,
    acceptUnverified: false,
    isPublic: false,
    maxBodyBytes: 10 * 1024 * 1024,
    forwardMode: 'afterAck',
    keep: 1000,
    keepAliveSeconds: 0,
    ...(forwardTo !== undefined && { forwardTo: addressOf(forwardTo) }),
  };
}

function addressOf(text: string): string {
  try {
    return parseHttpUrl(text).href;
  } catch (error) {
    throw new UsageError('The address of --forward-to is not an http or https address.', { cause: error });
  }
}
