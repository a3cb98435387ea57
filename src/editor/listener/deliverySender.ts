import type { FailedAt } from '../../contract/delivery.ts';
import type { DeliveryEdit } from '../../contract/deliveryEdit.ts';
import type {
  Answer,
  AppAnswer,
  MadeDelivery,
  ProgramCalls,
  Sent,
  ToDeliverHere,
} from '../../deliveries/listenerProtocol.ts';
import type { Log } from '../kit/log.ts';
import { wasTooOld } from '../../deliveries/handlerFailure.ts';
import { ageAt } from '../../deliveries/outcomeText.ts';
import { type ReplayOutlook, replayOutlook } from '../../deliveries/replayOutlook.ts';
import type { Destinations } from './destinations.ts';
import type { ProgramHost } from './program/programHost.ts';
import { addressOfApp } from '../../service/runs/appAddress.ts';
import type { Remote } from '../../shared/rpc/rpc.ts';
import { webhookEnvelope } from '../../service/webhookEnvelope.ts';
import type { WebhookSecrets } from './secrets/webhookSecrets.ts';

interface DeliverySenderParts {
  host: ProgramHost;
  secrets: WebhookSecrets;
  destinations: Destinations;
  /** The listener's own address; starts it if needed. */
  ownAddress: () => Promise<string>;
  /** How old a timestamp may be, in seconds. */
  toleranceSeconds: () => number;
  log: Log;
}

/** A kept delivery to send again. */
export interface Replay {
  id: string;
  /** The target. A `URL` is one the user has just named; for any other address the user is asked if needed. */
  to?: string | URL | undefined;
  /** Whether it is signed again, as of now. */
  resign?: boolean | undefined;
  /** The parts that are sent differently from how they arrived. */
  edit?: DeliveryEdit | undefined;
  /** How long the response may take. Without it, as long as it takes: the handler may stand at a breakpoint. */
  limitMs?: number | undefined;
}

/** The parts of a test delivery that differ from the default. */
interface TestDelivery {
  to?: string | undefined;
  body?: unknown;
  secret?: string | undefined;
  /** The id of the run that it is said to be of. */
  runId?: string | undefined;
}

/** The app that a test delivery is said to be of. */
const testApp = 'test';

/** Sends kept deliveries and test deliveries, and knows what came of them. */
export class DeliverySender {
  readonly #parts: DeliverySenderParts;

  constructor(parts: DeliverySenderParts) {
    this.#parts = parts;
  }

  /** Where an app's deliveries are sent: the given address, else the local app's, else the listener's own. */
  async target(given: string | undefined, appName?: string): Promise<URL> {
    return this.#parts.destinations.allow(await this.address(given, appName));
  }

  /** Like `target`, but without asking the user. */
  async address(given: string | undefined, appName?: string): Promise<string> {
    if (given !== undefined) return given;
    const target = this.#parts.destinations.forwardOf(appName);
    if (target.kind === 'invalid') return target.text;
    return 'to' in target ? target.to : this.#parts.ownAddress();
  }

  /** Sends a kept delivery again. @throws the signal's reason if it is aborted before anything is sent */
  async replay({ id, to, resign = false, edit, limitMs }: Replay, signal: AbortSignal): Promise<Answer> {
    const { host, secrets } = this.#parts;
    const { appName } = await host.ask((program) => program.get({ id }));
    const { href } = to instanceof URL ? to : await this.target(to, appName);
    if (resign) await (await secrets.store()).ensure();
    await host.configure();
    const what = { id, to: href, resign, edit, limitMs };
    return this.#untilAborted(signal, (program, sending) => program.replay({ sending, ...what }));
  }

  /** What a kept delivery meets that is sent again as it came. */
  async outlook(id: string): Promise<ReplayOutlook> {
    const { host, secrets, toleranceSeconds } = this.#parts;
    const delivery = await host.ask((program) => program.whole({ id }));
    const held = (await secrets.store()).held();
    const now = Date.now();
    const outlook = replayOutlook(delivery, await held, now, toleranceSeconds());
    const last = delivery.attempts?.at(-1);
    // A handler may allow less than Runhook.
    return outlook.kind === 'fits' && last !== undefined && wasTooOld(last, delivery)
      ? { kind: 'old', ageMs: ageAt(now, delivery) }
      : outlook;
  }

  /** The local app's response to the attempt made at the time `at`; undefined if it is not kept. */
  async answer(id: string, at: string): Promise<AppAnswer | undefined> {
    return (await this.#parts.host.ask((program) => program.answer({ id, at }))) ?? undefined;
  }

  /** Stores why a delivery did not verify, so that its row says what its explanation says. */
  noteReason(delivery: { id: string; reason: string }): void {
    const { host, log } = this.#parts;
    host
      .ask((program) => program.noteReason(delivery))
      .catch((error: unknown) => {
        log.error(`Noting a reason failed: ${String(error)}`);
      });
  }

  /** Stores where the handler failed at the attempt of that time. */
  async noteFailure(of: { id: string; at: string; failedAt: FailedAt }): Promise<void> {
    await this.#parts.host.ask((program) => program.noteFailure(of));
  }

  /** The ids of the deliveries whose last attempt was not accepted, oldest first. */
  failed(): Promise<string[]> {
    return this.#parts.host.ask((program) => program.failed());
  }

  /** Sends a delivery like those of the service, signed with the given secret, else with the stored one. */
  async sendTest({ to, body, secret, runId = testRunId() }: TestDelivery): Promise<Sent> {
    const { host, secrets, destinations, ownAddress } = this.#parts;
    const own = async () => (body === undefined ? addressOfApp(await ownAddress(), testApp) : ownAddress());
    const { href } = await destinations.allow(to ?? (await own()));
    const key = secret ?? (await (await secrets.store()).ensure()).secret;
    await host.configure();
    const text =
      typeof body === 'string' ? body : body === undefined ? testBody(runId) : JSON.stringify(body);
    return host.ask((program) => program.sendTest({ to: href, body: text, secret: key }));
  }

  /** Makes the delivery of a run from its response, signed with the secret of its app, and sends it to the listener. */
  async deliverHere(
    { projectId, ...run }: Omit<ToDeliverHere, 'secret'> & { projectId: string },
    signal: AbortSignal,
  ): Promise<MadeDelivery> {
    const { host, secrets, ownAddress } = this.#parts;
    await ownAddress();
    const { secret } = await (await secrets.store()).ensure({ projectId, appName: run.appName });
    await host.configure();
    return this.#untilAborted(signal, (program, sending) => program.deliverHere({ sending, ...run, secret }));
  }

  /** Has the program send something, and stop that alone if the signal is aborted meanwhile. */
  async #untilAborted<T>(
    signal: AbortSignal,
    send: (program: Remote<ProgramCalls>, sending: string) => Promise<T>,
  ): Promise<T> {
    signal.throwIfAborted();
    const sending = crypto.randomUUID();
    const stop = (): void => this.#stopSending(sending);
    signal.addEventListener('abort', stop);
    try {
      return await this.#parts.host.ask((program) => send(program, sending));
    } finally {
      signal.removeEventListener('abort', stop);
    }
  }

  #stopSending(sending: string): void {
    const { host, log } = this.#parts;
    host
      .ask((program) => program.stopSending({ sending }))
      .catch((error: unknown) => {
        log.error(`Cancelling a replay failed: ${String(error)}`);
      });
  }
}

export function testRunId(): string {
  return `test-${crypto.randomUUID().slice(0, 8)}`;
}

/** A body like that of a webhook from the service. */
function testBody(runId: string): string {
  const result = JSON.stringify({ message: 'A test delivery from Runhook' });
  return webhookEnvelope({ runId, appName: testApp, status: 200, result }, Date.now());
}
