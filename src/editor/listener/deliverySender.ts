import type { DeliveryEdit } from '../../model/deliveries/deliveryEdit.ts';
import type { Answer, AppAnswer, Sent } from '../../model/processes/listenerProtocol.ts';
import type { Log } from '../log.ts';
import type { Destinations } from './destinations.ts';
import type { ProgramHost } from './program/programHost.ts';
import { webhookEnvelope } from '../../model/deliveries/webhookEnvelope.ts';
import type { WebhookSecrets } from './secrets/webhookSecrets.ts';

interface DeliverySenderParts {
  host: ProgramHost;
  secrets: WebhookSecrets;
  destinations: Destinations;
  /** The listener's own address; starts it if need be. */
  ownAddress: () => Promise<string>;
  log: Log;
}

/** A kept delivery that is to be sent again. */
export interface Replay {
  id: string;
  /** Where to: a URL where the user has just named it, else the address is asked for where need be. */
  to?: string | URL | undefined;
  /** With the signature of now. */
  resign?: boolean | undefined;
  /** What of it is sent in another way than it came. */
  edit?: DeliveryEdit | undefined;
}

/** What of a test delivery is not as usual. */
interface TestDelivery {
  to?: string | undefined;
  body?: unknown;
  secret?: string | undefined;
}

/** Sends deliveries that are kept or made here. */
export class DeliverySender {
  readonly #parts: DeliverySenderParts;

  constructor(parts: DeliverySenderParts) {
    this.#parts = parts;
  }

  /** Where deliveries of an app are sent to: the address that is given, else the local app's, else the listener's own. */
  async target(given: string | undefined, appName?: string): Promise<URL> {
    return this.#parts.destinations.allow(await this.address(given, appName));
  }

  /** The same, without a question. */
  async address(given: string | undefined, appName?: string): Promise<string> {
    if (given !== undefined) return given;
    const target = this.#parts.destinations.forwardOf(appName);
    if (target.kind === 'invalid') return target.text;
    return 'to' in target ? target.to : this.#parts.ownAddress();
  }

  /** Sends a kept delivery again. */
  async replay({ id, to, resign = false, edit }: Replay): Promise<Answer> {
    const { host, secrets } = this.#parts;
    const { appName } = await host.ask('get', { id });
    const { href } = to instanceof URL ? to : await this.target(to, appName);
    if (resign) await (await secrets.store()).ensure();
    await host.configure();
    return host.ask('replay', { id, to: href, resign, ...(edit && { edit }) });
  }

  /** What the local app answered to the attempt of that time; undefined where it is not kept. */
  async answer(id: string, at: string): Promise<AppAnswer | undefined> {
    return (await this.#parts.host.ask('answer', { id, at })) ?? undefined;
  }

  /** The ids of what was not taken with the last attempt, the oldest first. */
  refused(): Promise<string[]> {
    return this.#parts.host.ask('refused', null);
  }

  /** Breaks off the replays that are under way: each of them rejects. */
  stopReplays(): void {
    const { host, log } = this.#parts;
    host.ask('stopReplays', null).catch((error: unknown) => {
      log.error(`Cancelling a replay failed: ${String(error)}`);
    });
  }

  /** Sends a delivery such as the service sends it, signed with the given or the held secret. */
  async sendTest({ to, body, secret }: TestDelivery): Promise<Sent> {
    const { host, secrets, destinations, ownAddress } = this.#parts;
    const { href } = await destinations.allow(to ?? (await ownAddress()));
    const key = secret ?? (await (await secrets.store()).ensure()).secret;
    await host.configure();
    const text = typeof body === 'string' ? body : body === undefined ? testBody() : JSON.stringify(body);
    return host.ask('sendTest', { to: href, body: text, secret: key });
  }
}

/** A body such as that of a webhook of the service. */
function testBody(): string {
  const runId = `test-${crypto.randomUUID().slice(0, 8)}`;
  const result = JSON.stringify({ message: 'A test delivery from Runhook' });
  return webhookEnvelope({ runId, appName: 'test', status: 200, result }, Date.now());
}
