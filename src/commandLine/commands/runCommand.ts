import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import type { Delivery } from '../../contract/delivery.ts';
import { deliveryLine } from '../../deliveries/deliveryLine.ts';
import { initialSettings } from '../../listener/intake/initialSettings.ts';
import { CannotListenError, type OwnListener, startOwnListener } from '../../listener/program/ownListener.ts';
import { RunClient } from '../../service/client/runClient.ts';
import { addressOfApp } from '../../service/runs/appAddress.ts';
import { runUrl, withWebhook } from '../../service/runs/runUrl.ts';
import { isLoopback } from '../../shared/http/loopback.ts';
import { isSuccess } from '../../shared/http/isSuccess.ts';
import { durationText } from '../../shared/text/durationText.ts';
import { jsonMistake } from '../../shared/json/jsonMistake.ts';
import { UserError } from '../../shared/text/userError.ts';
import { unsendableReason } from '../../service/signature/webhookSecret.ts';
import { givenText } from '../../suite/fixture/givenBytes.ts';
import { failed } from '../failed.ts';
import { UsageError, readAddress, readArguments, readNamed, readPort } from '../options/readArguments.ts';
import {
  agree,
  agreementOptions,
  readServiceAddress,
  readToken,
  required,
  serviceOptions,
  transport,
  userAgent,
} from '../options/serviceOptions.ts';
import { readSecret, secretOptions } from '../options/sharedOptions.ts';
import { interruption, printError, printLine, printNote, printSetAside } from '../print.ts';
import { cannotListen } from './listenCommand.ts';

/** In bytes. */
const largestBody = 10 * 1024 * 1024;
/** How long the answer, and then the delivery, may take without `--timeout`, in seconds. */
const usualSeconds = 120;

const options = {
  ...serviceOptions,
  ...agreementOptions,
  ...secretOptions,
  app: { type: 'string' },
  body: { type: 'string' },
  path: { type: 'string' },
  webhook: { type: 'string' },
  wait: { type: 'boolean' },
  port: { type: 'string' },
  'public-url': { type: 'string' },
  timeout: { type: 'string' },
} as const;

/**
 * `runhook run`: runs an app and prints what it answers. With `--wait` it listens for the delivery of the run as well, and
 * fails unless that comes and verifies.
 */
export async function runCommand(args: readonly string[]): Promise<number> {
  const { values } = readArguments(args, options);
  const projectId = required(values.project, 'project');
  const appName = required(values.app, 'app');
  const seconds = readSeconds(values.timeout);
  const proxyUrl = readServiceAddress(values, 'proxy-url');
  const place = { projectId, appName, path: values.path ?? 'run' };
  const plain = readNamed('address', undefined, () => runUrl(proxyUrl, place));
  const { body: path } = values;
  const body =
    path === undefined ? '{}' : readNamed('body', path, () => jsonIn(givenText(path, largestBody)));
  const { webhook, wait = false } = values;
  if (wait && webhook !== undefined)
    throw new UsageError('Use either --wait or --webhook: --wait listens itself.');
  const given = readSecret(values);
  if (given !== undefined && webhook === undefined) {
    throw new UsageError('The options --secret-env and --secret-file need --webhook.');
  }
  const unsendable = given === undefined ? undefined : unsendableReason(given);
  if (unsendable !== undefined) throw new UsageError(`The secret cannot be sent with a run: ${unsendable}.`);
  if (!wait && (values.port ?? values['public-url']) !== undefined) {
    throw new UsageError('The options --port and --public-url need --wait.');
  }
  if (wait && values['public-url'] === undefined && !isLoopback(plain.hostname)) {
    throw new UsageError(
      `${plain.host} cannot reach this machine: set --port, and its public address with --public-url.`,
    );
  }
  const publicUrl = values['public-url'];
  const reached = publicUrl === undefined ? undefined : readAddress(publicUrl, 'public-url').href;
  const told = webhook === undefined ? undefined : readAddress(webhook, 'webhook').href;
  const port = readPort(values.port);
  const token = readToken(values);
  await agree(`Run ${appName} in ${projectId} at ${plain.host}`, values);

  const own = wait ? randomBytes(32).toString('base64url') : undefined;
  const awaited = own === undefined ? undefined : await awaitDelivery(port, own, reached !== undefined);
  const secret = own ?? given;
  const interrupted = interruption();
  const stop = AbortSignal.any([AbortSignal.timeout(seconds * 1000), interrupted]);
  let hasResponse = false;
  try {
    const address = awaited === undefined ? told : addressOfApp(reached ?? awaited.url, appName);
    const url = address === undefined ? plain : withWebhook(plain, address);
    const client = new RunClient({ transport: transport(), token, userAgent });
    const started = performance.now();
    const answer = await client.run(
      { url, method: 'POST', body, ...(secret !== undefined && { secret }) },
      stop,
    );
    await printBody(answer.body);
    hasResponse = true;
    printNote(`${answer.status} in ${durationText(performance.now() - started)}`);
    if (!isSuccess(answer.status)) return 1;
    if (awaited === undefined) return 0;
    stop.throwIfAborted();
    const late = once(stop, 'abort').then(() => Promise.reject(new Error('aborted')));
    const delivery = await Promise.race([awaited.delivery, late]);
    printNote(deliveryLine(delivery, { firstAt: () => undefined }).text);
    return delivery.verdict === 'verified' ? 0 : 1;
  } catch (error) {
    if (interrupted.aborted) throw new UserError('It was interrupted.');
    if (stop.aborted) {
      const missing = hasResponse ? 'No delivery arrived' : `${plain.host} did not respond`;
      throw new UserError(`${missing} within ${seconds} s. Allow more with --timeout.`);
    }
    throw error instanceof UserError ? error : failed(`${plain.host} did not respond`, error);
  } finally {
    await awaited?.end();
  }
}

/** @throws UsageError */
function readSeconds(text: string | undefined): number {
  if (text === undefined) return usualSeconds;
  if (/^[1-9]\d{0,5}$/.test(text)) return Number(text);
  throw new UsageError('The timeout must be a whole number of seconds.');
}

/** The text of a body, once it is known to be JSON: the interface takes nothing else. */
function jsonIn(text: string): string {
  try {
    JSON.parse(text);
  } catch (error) {
    throw new UserError(`It is not JSON. ${jsonMistake(text)}`, { cause: error });
  }
  return text;
}

/** Prints the answer: as it came for a program, and in a terminal by lines, without control characters. */
async function printBody(body: AsyncIterable<Uint8Array>): Promise<void> {
  // guard S125: No control character of an answer reaches the terminal.
  if (process.stdout.isTTY) {
    for await (const line of createInterface(Readable.from(body))) printLine(line);
    return;
  }
  for await (const piece of body) {
    if (process.stdout.write(piece)) continue;
    await new Promise((resolve) => process.stdout.once('drain', resolve).once('close', resolve));
  }
}

interface AwaitedDelivery {
  url: string;
  /** The delivery of the run: the first that verifies, or that came with a signature where strangers cannot send one. */
  delivery: Promise<Delivery>;
  end(): Promise<void>;
}

/** Listens for the delivery of one run, in a folder that is gone afterwards. */
async function awaitDelivery(port: number, secret: string, isPublic: boolean): Promise<AwaitedDelivery> {
  const folder = mkdtempSync(join(tmpdir(), 'runhook-run-'));
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  const { promise: delivery, resolve } = Promise.withResolvers<Delivery>();
  let listener: OwnListener;
  try {
    listener = await startOwnListener({
      ...{ folder, port, onSetAside: printSetAside },
      settings: { ...initialSettings, isPublic, secrets: [{ secret, owner: { kind: 'default' } }] },
      onNews: ({ arrived }) => {
        const own = arrived.find(({ verdict }) =>
          isPublic ? verdict === 'verified' : verdict !== 'unsigned',
        );
        if (own !== undefined) resolve(own);
      },
      onProblem: (problem) => {
        if (problem !== undefined) printError(failed('The delivery cannot be kept', problem).message);
      },
    });
  } catch (error) {
    remove();
    throw error instanceof CannotListenError ? cannotListen(error, { folder, port }) : error;
  }
  const end = async (): Promise<void> => {
    await listener.end();
    remove();
  };
  return { url: `http://127.0.0.1:${listener.port}`, delivery, end };
}
