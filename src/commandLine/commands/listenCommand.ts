import type { ListenerSettings } from '../../model/processes/listenerProtocol.ts';
import type { Route } from '../../model/routes/routes.ts';
import { initialSettings } from '../../listener/intake/initialSettings.ts';
import { listenAndPrint } from '../deliveries/listenAndPrint.ts';
import { UserError } from '../../model/text/userError.ts';
import { printJson, printLine, printWhatIsRead } from '../print.ts';
import { certificateOptions } from '../options/certificateOption.ts';
import { readAddress, readArguments, readPort, readTolerance, UsageError } from '../options/readArguments.ts';
import { readSecret, secretOptions } from '../options/secretOption.ts';
import { storeFolder, storeOptions } from '../options/storeFolder.ts';
import { untilInterrupted } from '../untilInterrupted.ts';

/** `runhook listen`: receives deliveries until it is interrupted, keeps them, and prints a line for each. */
export async function listenCommand(args: readonly string[]): Promise<number> {
  const options = {
    port: { type: 'string' },
    'forward-to': { type: 'string' },
    route: { type: 'string', multiple: true },
    tolerance: { type: 'string' },
    json: { type: 'boolean' },
    ...certificateOptions,
    ...secretOptions,
    ...storeOptions,
  } as const;
  const { values } = readArguments(args, options);
  const secret = readSecret(values);
  const folder = storeFolder(values.store);
  const isJson = values.json ?? false;
  const port = readPort(values.port);
  const forwardTo = values['forward-to'];
  const toleranceSeconds = readTolerance(values.tolerance);
  const settings: ListenerSettings = {
    ...initialSettings,
    isPublic: false,
    ...(toleranceSeconds !== undefined && { toleranceSeconds }),
    ...(secret !== undefined && { secrets: [{ secret, owner: { kind: 'default' } }] }),
    ...(forwardTo !== undefined && { forwardTo: readAddress(forwardTo, 'forward-to').href }),
    acceptLocalCertificates: values['accept-local-certificates'] ?? false,
    routes: (values.route ?? []).map(readRoute),
  };
  printWhatIsRead();
  const interrupted = untilInterrupted();
  const onListening = (actualPort: number): void => {
    const url = `http://127.0.0.1:${actualPort}`;
    if (isJson) printJson({ listening: { port: actualPort, url } });
    else printLine(`Runhook listens on ${url} (this machine only) and keeps deliveries in ${folder}.`);
  };
  const { promise: replaced, resolve: onReplaced } = Promise.withResolvers<'replaced'>();
  const end = await listenAndPrint({
    folder,
    port,
    settings,
    isJson,
    onListening,
    onReplaced: () => onReplaced('replaced'),
  });
  const why = await Promise.race([interrupted, replaced]);
  await end();
  if (why !== 'replaced') return 0;
  throw new UserError(`Another program listens now and keeps its deliveries in ${folder}.`);
}

/** `APP=URL`. @throws UsageError */
function readRoute(text: string): Route {
  const at = text.indexOf('=');
  if (at < 1) throw new UsageError('A route is written as --route APP=URL.');
  return { appName: text.slice(0, at), to: readAddress(text.slice(at + 1), 'route').href };
}
