import { CannotListenError, type OwnListener, startOwnListener } from '../../listener/program/ownListener.ts';
import { RelayTunnel } from '../../listener/tunnels/relayTunnel.ts';
import { createUndiciTransport } from '../../service/client/undiciTransport.ts';
import { lossesText, readRelayKey, relayAddress } from '../../deliveries/relayProtocol.ts';
import { initialSettings } from '../../listener/intake/initialSettings.ts';
import type { Delivery } from '../../contract/delivery.ts';
import { deliveryLine, unkeptLines } from '../../deliveries/deliveryLine.ts';
import { clockTime } from '../../shared/text/durationText.ts';
import { forwardLine } from '../../deliveries/forwardText.ts';
import type { ListenerSettings, News, RelayAccess } from '../../deliveries/listenerProtocol.ts';
import type { Route } from '../../deliveries/routes/routes.ts';
import { t } from '../../shared/text/l10n.ts';
import { UserError } from '../../shared/text/userError.ts';
import { wholeDelivery } from '../../deliveries/keptDelivery.ts';
import { failed, noPort } from '../failed.ts';
import { UsageError, readAddress, readArguments, readPort, readTolerance } from '../options/readArguments.ts';
import {
  certificateOptions,
  readSecret,
  secretOptions,
  storeFolder,
  storeOptions,
} from '../options/sharedOptions.ts';
import {
  printError,
  printJson,
  printLine,
  printSetAside,
  printWhatIsRead,
  untilInterrupted,
} from '../print.ts';

/** `runhook listen`: receives deliveries until it is interrupted, keeps them, and prints a line for each. */
export async function listenCommand(args: readonly string[]): Promise<number> {
  const options = {
    port: { type: 'string' },
    'forward-to': { type: 'string' },
    route: { type: 'string', multiple: true },
    tolerance: { type: 'string' },
    json: { type: 'boolean' },
    relay: { type: 'string' },
    'relay-key-env': { type: 'string' },
    'join-token-env': { type: 'string' },
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
  const relay = readRelay(values);
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
    relay,
    onListening,
    onReplaced: () => onReplaced('replaced'),
  });
  const why = await Promise.race([interrupted, replaced]);
  await end();
  if (why !== 'replaced') return 0;
  throw new UserError(`Another program now listens and keeps its deliveries in ${folder}.`);
}

/** The relay to read from, if one is named. @throws UsageError that repeats no value */
function readRelay(values: {
  relay?: string;
  'relay-key-env'?: string;
  'join-token-env'?: string;
}): RelayAccess | undefined {
  const { relay, 'relay-key-env': keyName, 'join-token-env': tokenName } = values;
  if (relay === undefined && keyName === undefined && tokenName === undefined) return undefined;
  if (relay === undefined || keyName === undefined) {
    throw new UsageError('--relay and --relay-key-env go together.');
  }
  const key = process.env[keyName] ?? '';
  if (readRelayKey(key) === undefined) {
    throw new UsageError(
      'The environment variable that --relay-key-env names holds no key of 256 bits. Make one: openssl rand -hex 32',
    );
  }
  const joinToken = tokenName === undefined ? undefined : process.env[tokenName];
  return { url: readRelayAddress(relay), key, joinToken };
}

/** @throws UsageError */
function readRelayAddress(text: string): string {
  try {
    return relayAddress(text).href;
  } catch (error) {
    throw new UsageError('The address of --relay begins with https://, or is one of this machine.', {
      cause: error,
    });
  }
}

/** `APP=URL`. @throws UsageError */
function readRoute(text: string): Route {
  const at = text.indexOf('=');
  if (at < 1) throw new UsageError('Write a route as --route APP=URL.');
  return { appName: text.slice(0, at), to: readAddress(text.slice(at + 1), 'route').href };
}

interface ListenOptions {
  /** The storage folder. No other program may listen for it at the same time. */
  folder: string;
  /** 0 for any free port. */
  port: number;
  settings: ListenerSettings;
  isJson: boolean;
  relay?: RelayAccess;
  /** Called with the port before the first delivery is printed. */
  onListening: (port: number) => void;
  /** Called when another program listens for the folder, which was removed meanwhile. */
  onReplaced: () => void;
}

/**
 * Listens in this process, and prints each delivery.
 * @returns a function that ends it: requests that have arrived whole are still answered, kept and printed
 * @throws UserError if another program listens for the folder, or the port cannot be had
 */
export async function listenAndPrint(options: ListenOptions): Promise<() => Promise<void>> {
  const { folder, port, settings, isJson, relay, onListening, onReplaced } = options;
  let printer: DeliveryPrinter | undefined;
  const own = await startOwnListener({
    ...{ folder, port, settings, onReplaced, onProblem: printProblem, onSetAside: printSetAside },
    onNews: (news, { store, asToldNow }) => {
      printer ??= new DeliveryPrinter({
        ...{ asToldNow, isJson },
        firstAt: (id) => store.find(id)?.receivedAt,
        bodyOf: (id) => store.kept(id).body,
      });
      printer.print(news);
    },
    onLost: (lost, count) =>
      printError(
        lost === 'tooMany'
          ? `Dropped before your handler received them, because too many were waiting: ${count}.`
          : `Not accepted by your handler, because the previous listener stopped first: ${count}.`,
      ),
  }).catch((error: unknown) => {
    throw error instanceof CannotListenError
      ? cannotListen(error, options, ' Choose another folder with --store.')
      : error;
  });
  onListening(own.port);
  const tunnel = relay && readFromRelay(relay, own, isJson);
  return async () => {
    await tunnel?.close();
    await own.end();
    printer?.end();
  };
}

/** Reads the deliveries of a relay as well, and tells where it is reached. */
function readFromRelay(access: RelayAccess, { takeRelayed }: OwnListener, isJson: boolean): RelayTunnel {
  const { host } = new URL(access.url);
  const tunnel = new RelayTunnel({
    take: takeRelayed,
    onState: (state) => {
      if (state.kind === 'failed') printError(`The relay is not used: ${state.reason}`);
      if (state.kind === 'reopening' && state.attempt === 1) {
        printError(`The relay ${host} is not available, and Runhook keeps trying: ${state.reason}`);
      }
      if (state.kind !== 'open') return;
      const { publicUrl } = state;
      if (isJson) printJson({ relay: { publicUrl } });
      else printLine(`Runhook also reads what is posted to ${publicUrl}, through the relay ${host}.`);
    },
    onLosses: (losses) => printError(lossesText(losses)),
    say: () => undefined,
  });
  const network = { proxySupport: 'on', strictSsl: true, systemCertificates: true } as const;
  // It says by its state what becomes of it.
  tunnel.open(access, createUndiciTransport(network), true).catch(() => undefined);
  return tunnel;
}

/** The error as a sentence for a person. @param advice for a folder that cannot be used */
export function cannotListen(
  { trouble }: CannotListenError,
  { folder, port }: { folder: string; port: number },
  advice = '',
): UserError {
  switch (trouble.kind) {
    case 'port':
      return noPort(`The port ${port} cannot be had`, trouble.error);
    case 'folder': {
      const { message } = failed(`No deliveries can be kept in ${folder}`, trouble.error);
      return new UserError(`${message}${advice}`, { cause: trouble.error });
    }
    case 'taken':
      return new UserError(`Another program listens and keeps its deliveries in ${folder}.${advice}`);
  }
}

function printProblem(problem: Error | undefined): void {
  printError(
    problem === undefined
      ? 'Deliveries are kept again.'
      : failed('Deliveries cannot be kept, so the listener does not respond to them', problem).message,
  );
}

/** How long a line waits for the local app's answer before it is checked again, in milliseconds. */
const answerMs = 500;

interface DeliveryPrinterOptions {
  /** When the delivery that another one repeats arrived; undefined if it is no longer kept. */
  firstAt: (id: string) => string | undefined;
  /** Adds whether the local app has still to answer it. */
  asToldNow: (delivery: Delivery) => Delivery;
  /** The body of a delivery that has just arrived. */
  bodyOf: (id: string) => Uint8Array;
  /** Whether lines are JSON: then a line waits until the local app has answered, since no second line follows. */
  isJson: boolean;
}

/** A delivery whose line is to be printed; with its body if that is part of the line. */
interface Unprinted {
  delivery: Delivery;
  body?: Uint8Array;
}

/** Prints a line for each delivery that arrives. */
class DeliveryPrinter {
  readonly #options: DeliveryPrinterOptions;
  /** Deliveries whose line waits for the local app, by id. */
  readonly #waiting = new Map<string, Unprinted & { timer: NodeJS.Timeout }>();
  /** Ids of deliveries whose line was printed before the local app had answered. */
  readonly #unanswered = new Set<string>();

  constructor(options: DeliveryPrinterOptions) {
    this.#options = options;
  }

  print(news: News): void {
    for (const delivery of news.arrived) this.#arrived(delivery);
    for (const delivery of news.changed) this.#changed(delivery);
    if (!this.#options.isJson) for (const { text } of unkeptLines(news)) printLine(text);
  }

  /** Prints the lines that wait. Call it last. */
  end(): void {
    for (const { timer, ...unprinted } of this.#waiting.values()) {
      clearTimeout(timer);
      this.#print(unprinted);
    }
    this.#waiting.clear();
  }

  #arrived(delivery: Delivery): void {
    const { isJson, bodyOf } = this.#options;
    const unprinted = { delivery, ...(isJson && { body: bodyOf(delivery.id) }) };
    if (delivery.isForwarding === true && delivery.forward === undefined) this.#wait(unprinted);
    else this.#print(unprinted);
  }

  #changed(delivery: Delivery): void {
    const { id, forward, receivedAt } = delivery;
    if (forward === undefined) return;
    const waiting = this.#waiting.get(id);
    if (waiting !== undefined) {
      clearTimeout(waiting.timer);
      this.#waiting.delete(id);
      this.#print({ ...waiting, delivery });
    } else if (this.#unanswered.delete(id)) {
      const of = clockTime(new Date(receivedAt));
      printLine(
        `${clockTime(new Date())}    ${t('of {0}', of)}  ${forwardLine({ ...delivery, forward }).text}`,
      );
    }
  }

  #wait(unprinted: Unprinted): void {
    const timer = setTimeout(() => this.#lookAgain(unprinted), answerMs);
    this.#waiting.set(unprinted.delivery.id, { ...unprinted, timer });
  }

  /** Polls, since a repeat of a delivery that the local app has taken is not forwarded, and no change follows. */
  #lookAgain(unprinted: Unprinted): void {
    const { isForwarding: _, ...delivery } = unprinted.delivery;
    const now = this.#options.asToldNow(delivery);
    const isUnderWay = now.isForwarding === true;
    if (isUnderWay && this.#options.isJson) {
      this.#wait(unprinted);
      return;
    }
    this.#waiting.delete(delivery.id);
    if (isUnderWay) this.#unanswered.add(delivery.id);
    this.#print({ ...unprinted, delivery: isUnderWay ? now : { ...delivery, wasTaken: true } });
  }

  #print({ delivery, body }: Unprinted): void {
    if (body === undefined) printLine(deliveryLine(delivery, { firstAt: this.#options.firstAt }).text);
    else printJson(wholeDelivery(delivery, body));
  }
}
