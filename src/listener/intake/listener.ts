import { randomBytes } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import type * as http from 'node:http';
import type { Delivery, Verdict } from '../../contract/delivery.ts';
import {
  type BrokenOff,
  type ListenerSettings,
  type NextResponses,
  type ReceivedProbe,
  type Refused,
  mostBodyBytes,
} from '../../deliveries/listenerProtocol.ts';
import { runIdOf } from '../../deliveries/runIdOf.ts';
import { keptDays } from '../../deliveries/relayProtocol.ts';
import { routeOf } from '../../deliveries/routes/routes.ts';
import { t } from '../../shared/text/l10n.ts';
import { splitAppPath } from '../../service/runs/appAddress.ts';
import { isOnlyCurrent, type HeldSecret, verifiesAt } from '../../service/signature/webhookSecret.ts';
import { isFinalStatus } from '../../service/webhookAttempt.ts';
import { isSuccess } from '../../shared/http/isSuccess.ts';
import {
  answer,
  type Expects,
  type OpenRequest,
  type Refusal,
  type TurnedAway,
  brokenOffOf,
  refusedByHead,
  type SenderLimits,
  senderServer,
  Senders,
  senderLimits,
} from './senders.ts';
import type { DeliveryStore } from '../store/deliveryStore.ts';
import { ForwardQueue, type QueuedDelivery } from '../forwarding/forwardQueue.ts';
import type { HeldRequest, ReadBody } from './incomingBody.ts';
import { repeatHash, rememberedUntil } from '../store/repeatTable.ts';
import { initialSettings } from './initialSettings.ts';
import { headerOf, headersOf, verify } from '../../service/signature/signature.ts';
import type { KeptDelivery, NewDelivery, RelayPlace, Standing } from '../../deliveries/keptDelivery.ts';
import { isUnexplained, Reasons } from './reasons.ts';
import { reasonOf } from '../../service/diagnosis/diagnosis.ts';
import { signedWithText } from '../../service/diagnosis/cause.ts';
import { SecretMask } from '../../shared/masking/secretMask.ts';

export interface WebhookListenerOptions {
  store: DeliveryStore;
  /** A clock in Unix milliseconds. */
  now: () => number;
  /** Makes the id of the next delivery. */
  nextId?: () => string;
  /** Called when a delivery was stored, and answered or handed to the local app. */
  onArrived?: (delivery: NewDelivery) => void;
  /** Called when a request was refused and not stored, or was cut off before its body was complete. */
  onTurnedAway: (what: Refused | BrokenOff) => void;
  limits?: SenderLimits;
}

/** The server that receives deliveries (design: section 5, "Answers"). */
export class WebhookListener {
  readonly #options: WebhookListenerOptions;
  /** The response that the user has requested for the next deliveries. */
  #next: NextResponses = { response: 200, times: 0 };
  readonly #nextId: () => string;
  readonly probes = new Probes();
  readonly reasons: Reasons;
  #settings = initialSettings;
  #secrets = new SecretOrder([]);
  #mask = new SecretMask([]);
  readonly forwardQueue: ForwardQueue;
  readonly #limits: SenderLimits;
  readonly senders: Senders;
  #server: http.Server | undefined;
  #port: number | undefined;

  constructor(options: WebhookListenerOptions) {
    this.#options = options;
    this.#nextId = options.nextId ?? deliveryIds();
    this.reasons = new Reasons({
      store: options.store,
      reasonFor: (delivery) => this.#reasonFor(delivery, delivery.body),
    });
    this.forwardQueue = new ForwardQueue(options.store, () => ({
      port: this.#port,
      publicUrl: this.#settings.publicUrl,
      acceptLocalCertificates: this.#settings.acceptLocalCertificates ?? false,
      mask: this.#mask,
    }));
    this.#limits = options.limits ?? senderLimits;
    this.senders = new Senders(
      this.#limits,
      () => options.store.flush(),
      (what) => this.#tell(what),
    );
  }

  configure(settings: ListenerSettings): void {
    // guard S36: A body has at most 64 MB, whatever the settings say.
    this.#settings = { ...settings, maxBodyBytes: Math.min(settings.maxBodyBytes, mostBodyBytes) };
    this.#secrets = new SecretOrder(settings.secrets);
    this.#mask = new SecretMask(settings.secrets.map(({ secret }) => secret));
  }

  setNextResponses(next: NextResponses): void {
    this.#next = { ...next };
  }

  /** A delivery, and whether the local app has still to answer it. */
  asToldNow(delivery: Delivery): Delivery {
    const { forwardQueue } = this;
    const isForwarding = !forwardQueue.isClosed() && forwardQueue.isUnderWay(delivery.id);
    return isForwarding ? { ...delivery, isForwarding } : delivery;
  }

  /**
   * Listens on 127.0.0.1, and then closes the previous port; 0 takes any free port. Rejects with Node's error, for
   * example with `code` EADDRINUSE; the previous port stays open then.
   * @param leave called before the previous port is closed, to end what depends on it
   */
  async listen(port: number, leave: () => Promise<void> = () => Promise.resolve()): Promise<number> {
    // guard S3: The listener listens on 127.0.0.1 only.
    const { server, port: boundPort } = await senderServer({
      ...{ port, host: '127.0.0.1' },
      limits: this.#limits,
      senders: this.senders,
      onRequest: (...request) => this.#receive(...request),
    });
    await leave();
    await this.close();
    this.#server = server;
    this.#port = boundPort;
    return boundPort;
  }

  /** Stops listening. Complete requests are answered; incomplete ones get no answer, so that the service retries. */
  async close(): Promise<void> {
    const server = this.#server;
    this.#server = this.#port = undefined;
    if (server === undefined) return;
    this.#options.store.flush();
    const closed = new Promise((resolve) => server.close(resolve));
    this.senders.closeAll(server);
    await closed;
  }

  #receive(request: HeldRequest, response: http.ServerResponse, expects: Expects = 'nothing'): void {
    const opened = this.senders.open(request, response, expects);
    if (opened === undefined) return;
    const refuse = ({ status, reason }: Refusal): void => {
      this.#tell({ status, method: request.method ?? '', reason });
      opened.refuse(status, reason);
    };
    const refused = refusedByHead(request, expects);
    if (refused !== undefined) {
      refuse(refused);
      return;
    }
    const { maxBodyBytes } = this.#settings;
    opened.read(maxBodyBytes, (read) => {
      if (read.kind === 'whole') this.#take(request, response, read);
      if (read.kind === 'tooLarge') this.#refuseTooLarge(opened, maxBodyBytes);
      if (read.kind === 'cut') this.#tell(brokenOffOf(read, opened.announced));
    });
  }

  /** Tells it once its beginning, which names the run, is here. */
  #refuseTooLarge(opened: OpenRequest, maxBodyBytes: number): void {
    const reason = t(
      'its body is larger than {0} bytes: set "runhook.listener.maxBodyBytes" to take it',
      maxBodyBytes,
    );
    opened.refuse(413, reason, (beginning) => {
      const runId = runIdOf(beginning);
      const ofRun = runId !== undefined && { runId };
      this.#tell({ status: 413, method: 'POST', reason, mostBytes: maxBodyBytes, ...ofRun });
    });
  }

  /** Tells what is not kept. */
  #tell(what: TurnedAway): void {
    const { now, onTurnedAway } = this.#options;
    onTurnedAway({ at: new Date(now()).toISOString(), ...what });
  }

  #take(
    request: http.IncomingMessage,
    response: http.ServerResponse,
    { body, free }: ReadBody & { kind: 'whole' },
  ): void {
    const { store, now, onArrived } = this.#options;
    const { method = '', url: path = '', rawHeaders } = request;
    const incoming = { method, path, rawHeaders, body, receivedAt: now() };
    const judged = this.#judge(incoming);
    if (this.probes.take(incoming, judged.verdict)) {
      // A Date header from here would hide the clock of a proxy in between.
      response.sendDate = false;
      answer(response, 200);
      free();
      return;
    }
    const { verdict } = judged;
    const ordered = this.#takeOrdered();
    const accepted = this.#accepts(verdict, incoming.receivedAt);
    const status = ordered ?? (accepted ? 200 : 401);
    const isTaken = typeof status === 'number' && isSuccess(status);
    const made = this.#newDelivery(incoming, judged, { accepted, isTaken });
    const { forwardTo: to, repeatOf } = made;
    const passedTo = ordered === undefined && this.#settings.forwardMode === 'passThrough' ? to : undefined;
    // In pass-through mode the status is noted once the local app has answered.
    const answered = typeof status === 'number' && passedTo === undefined ? status : 0;
    const delivery: NewDelivery = { ...made, answered };
    const queued = { id: delivery.id, repeatOf, bytes: body.length };
    const kept = (): void => {
      free();
      // Its sender has gone, or an answer before it closed the connection.
      if (request.socket.destroyed) store.note({ id: delivery.id, answered: 0 });
      if (passedTo !== undefined || status === 'hang') this.senders.answerLate(request.socket);
      if (passedTo !== undefined) {
        this.#passThrough(response, queued, passedTo).catch(() => response.destroy());
      } else {
        // What the user has ordered may be no answer at all.
        if (status === 'drop') request.socket.destroy();
        if (typeof status === 'number') answer(response, status, status < 300 ? '' : verdict);
        if (to !== undefined) void this.forwardQueue.push(queued, to);
      }
      if (isUnexplained(delivery)) this.reasons.add(delivery.id);
      onArrived?.(delivery);
    };
    // Without an answer the service retries; after a 5xx it would not.
    // guard S37: A delivery is on the disk before it is acknowledged.
    // guard S37: A delivery that cannot be stored gets no answer.
    store.add(delivery, kept, () => {
      free();
      request.socket.destroy();
    });
  }

  /**
   * Takes a delivery that waited at a relay, which has answered it with 200. Resolves once it is on the disk, whether it
   * came just now or before. Rejects if it cannot be stored.
   */
  async takeRelayed(
    place: RelayPlace,
    request: { method: string; path: string; rawHeaders: string[]; body: Buffer },
  ): Promise<void> {
    const { store, now, onArrived } = this.#options;
    if (store.hasRelayed(place)) return;
    const receivedAt = now();
    const incoming = { ...request, receivedAt, waitedMs: receivedAt - place.at };
    const judged = this.#judge(incoming);
    if (this.probes.take(incoming, judged.verdict)) return;
    // guard S147: Whoever knows the address of a relay posts there: nothing unsigned is taken, whatever the settings say.
    const accepted = judged.verdict === 'verified';
    const made = this.#newDelivery(incoming, judged, { accepted, isTaken: accepted });
    const delivery: NewDelivery = { ...made, answered: 200, relayed: place };
    const { id, repeatOf, forwardTo: to } = delivery;
    await new Promise<void>((resolve, reject) => store.add(delivery, resolve, reject));
    if (to !== undefined) void this.forwardQueue.push({ id, repeatOf, bytes: request.body.length }, to);
    if (isUnexplained(delivery)) this.reasons.add(id);
    onArrived?.(delivery);
  }

  /** What is stored of a delivery. @param isTaken whether it is answered with success, and so may be forwarded */
  #newDelivery(
    incoming: Incoming,
    judged: { verdict: Verdict; reason?: string },
    { accepted, isTaken }: { accepted: boolean; isTaken: boolean },
  ): Omit<NewDelivery, 'answered'> {
    const { store } = this.#options;
    const { method, path, rawHeaders, body, receivedAt, waitedMs } = incoming;
    const { verdict } = judged;
    // Where it takes a search, that is made after the answer.
    const reason = isUnexplained(judged)
      ? undefined
      : (judged.reason ?? this.#reasonFor({ ...incoming, verdict }, body));
    const requestId = headerOf(rawHeaders, 'x-request-id') ?? '';
    // Only a verified delivery can be a repeat: strangers may know the id of a delivery.
    const hash = verdict === 'verified' ? repeatHash(requestId, body) : undefined;
    const first = hash && store.firstOf({ path, hash });
    // guard S133: What was made here says so only where its signature is right, and its request id was told before.
    const isSigned = verdict === 'verified' || verdict === 'stale';
    const madeOf = isSigned ? store.madeOf(requestId) : undefined;
    const repeatOf = first?.id;
    // guard S6: A repeat goes where the first delivery went.
    const firstPath = first === undefined ? path : first.path;
    const { appName } = splitAppPath(firstPath ?? path);
    const isForwarded = isTaken && this.#forwards(verdict) && firstPath !== undefined;
    const to = isForwarded ? this.#route(appName, body) : undefined;
    // What was posted to a relay in the same moment may have waited as long as it keeps anything.
    const last = waitedMs === undefined ? receivedAt : receivedAt + keptDays * 24 * 3600 * 1000;
    return {
      id: this.#nextId(),
      receivedAt,
      ...(waitedMs !== undefined && { waitedMs }),
      verdict,
      standing: standingOf(verdict, accepted),
      ...(repeatOf !== undefined && { repeatOf }),
      ...(reason !== undefined && { reason }),
      method,
      path,
      ...(firstPath !== undefined && firstPath !== path && { firstPath }),
      ...(appName !== undefined && { appName }),
      ...(madeOf !== undefined && { madeOf }),
      ...(to !== undefined && { forwardTo: to }),
      rawHeaders,
      body,
      ...(hash && {
        recognised: { hash, until: rememberedUntil(last, this.#settings.toleranceSeconds) },
      }),
    };
  }

  #judge({ rawHeaders, body, ...when }: Incoming): { verdict: Verdict; reason?: string } {
    const { toleranceSeconds } = this.#settings;
    const takenAt = takenAtOf(when);
    const { secrets, untried } = this.#secrets.toTry(takenAt, body.length);
    const texts = secrets.map(({ secret }) => secret);
    const check = verify(rawHeaders, body, texts, takenAt / 1000, toleranceSeconds);
    const { verdict } = check;
    if (verdict === 'mismatch' && untried > 0) {
      const reason = t('body too large: not every secret was tried, left out: {0}', untried);
      return { verdict, reason };
    }
    const fitting = 'secretIndex' in check ? secrets[check.secretIndex] : undefined;
    if (fitting === undefined) return { verdict };
    this.#secrets.noteFit(fitting);
    const isNamed = verdict === 'verified' && !isOnlyCurrent(fitting, this.#settings.secrets);
    return isNamed ? { verdict, reason: signedWithText(fitting) } : { verdict };
  }

  /** Why a delivery does not verify, as a sentence; undefined if it does. */
  #reasonFor(
    {
      verdict,
      rawHeaders,
      ...when
    }: Pick<KeptDelivery, 'verdict' | 'rawHeaders' | 'receivedAt' | 'waitedMs'>,
    body: Uint8Array,
  ): string | undefined {
    if (verdict === 'verified') return undefined;
    const { secrets, toleranceSeconds } = this.#settings;
    const evidence = { headers: headersOf(rawHeaders), body, secrets, clock: takenAtOf(when) / 1000 };
    return reasonOf(verdict, { ...evidence, toleranceSeconds });
  }

  #takeOrdered(): NextResponses['response'] | undefined {
    if (this.#next.times <= 0) return undefined;
    this.#next.times -= 1;
    return this.#next.response;
  }

  #accepts(verdict: Verdict, at: number): boolean {
    const { acceptUnverified, isPublic } = this.#settings;
    if (verdict === 'verified' || acceptUnverified) return true;
    // guard S77: While strangers can reach the listener, nothing unsigned is taken, even if no secret is held.
    return verdict === 'unsigned' && this.#secrets.isEmpty(at) && !isPublic;
  }

  #forwards(verdict: Verdict): boolean {
    // guard S4: A delivery that does not verify gets 401 and is not forwarded.
    return verdict === 'verified' || this.#settings.acceptUnverified;
  }

  /** The URL to forward a delivery to, if any. The body is read only if there are routes for apps. */
  #route(named: string | undefined, body: Uint8Array): string | undefined {
    const { routes = [], forwardTo } = this.#settings;
    if (routes.length === 0) return forwardTo;
    // guard S11: The path cannot name the app of a run made here.
    return routeOf(this.#options.store.appOfRun(body) ?? named, this.#settings);
  }

  /**
   * Answers with the local app's status. If there is none, or one that cannot be passed on, closes the connection:
   * the service retries after a network error, which it would have seen without Runhook in between.
   */
  async #passThrough(response: http.ServerResponse, delivery: QueuedDelivery, to: string): Promise<void> {
    const status = await this.forwardQueue.push(delivery, to);
    if (status === undefined || !isFinalStatus(status) || response.destroyed) {
      response.destroy();
      return;
    }
    this.#options.store.note({ id: delivery.id, answered: status });
    answer(response, status);
  }
}

/** A request that has arrived whole, from its sender or from a relay. */
type Incoming = Pick<KeptDelivery, 'method' | 'path' | 'rawHeaders' | 'receivedAt' | 'waitedMs'> & {
  body: Buffer;
};

/** When it left its sender's hands: that is the clock that its timestamp is judged by. */
function takenAtOf({ receivedAt, waitedMs = 0 }: Pick<Incoming, 'receivedAt' | 'waitedMs'>): number {
  return receivedAt - waitedMs;
}

function standingOf(verdict: Verdict, accepted: boolean): Standing {
  if (verdict === 'verified') return 'verified';
  return accepted ? 'accepted' : 'refused';
}

/** Makes delivery ids. A random prefix per program keeps them unique, although each program counts from 1. */
function deliveryIds(): () => string {
  const session = randomBytes(4).toString('hex');
  let count = 0;
  return () => `${session}-${(count += 1)}`;
}

/** How many probes are remembered that did not come in time. */
const mostLateProbes = 20;

/**
 * Probes that this machine sends to its own public address. A probe carries a nonce in several places, since a proxy
 * on the way may change any of them. Probes are not deliveries, and are not stored.
 */
class Probes {
  readonly #expected = new Map<string, ReceivedProbe | undefined>();
  /** Those that nobody waits for any more: one that waits at a relay may still come. */
  readonly #late = new Set<string>();
  readonly #arrivals = new EventEmitter();

  expect(nonce: string): void {
    this.#expected.set(nonce, undefined);
  }

  /** Returns whether the request is a probe, and records it if it is expected. */
  take({ path, rawHeaders, body }: Incoming, verdict: Verdict): boolean {
    if (this.#expected.size + this.#late.size === 0) return false;
    const headers = headersOf(rawHeaders);
    const texts = [path, ...Object.values(headers), body.toString('latin1')];
    for (const [nonce, received] of this.#expected) {
      if (received !== undefined || !texts.some((text) => text.includes(nonce))) continue;
      this.#expected.set(nonce, { path, headers, body: body.toString('base64'), verdict });
      this.#arrivals.emit(nonce);
      return true;
    }
    const late = [...this.#late].find((nonce) => texts.some((text) => text.includes(nonce)));
    return late !== undefined && this.#late.delete(late);
  }

  /** Waits for a probe that comes by a relay, up to `ms` milliseconds. */
  async arrival(nonce: string, ms: number): Promise<void> {
    if (ms === 0 || this.#expected.get(nonce) !== undefined) return;
    await once(this.#arrivals, nonce, { signal: AbortSignal.timeout(ms) }).catch(() => undefined);
  }

  /** Returns what arrived, if anything, and stops expecting the probe. */
  collect(nonce: string): ReceivedProbe | undefined {
    const received = this.#expected.get(nonce);
    this.#expected.delete(nonce);
    if (received === undefined) this.#late.add(nonce);
    const [oldest] = this.#late;
    if (oldest !== undefined && this.#late.size > mostLateProbes) this.#late.delete(oldest);
    return received;
  }
}

/** How many bytes may be hashed to find the secret of one delivery: a body from a stranger is tried with each. */
const mostBytes = 128 * 1024 * 1024;
/** The minimum number of secrets to try, however large the body is. */
const leastTried = 8;
/** The fixed cost of a try in addition to the body, in bytes. */
const tryCost = 1024;

/** The secrets that a listener holds, in the order in which it tries them: the last one that matched comes first. */
class SecretOrder {
  #held: readonly HeldSecret[];

  constructor(held: readonly HeldSecret[]) {
    this.#held = held;
  }

  /**
   * The secrets that are valid at a time (Unix milliseconds), limited to as many as the body size leaves time for.
   * @returns `untried` is the number of valid secrets beyond that limit
   */
  toTry(at: number, bodyBytes: number): { secrets: HeldSecret[]; untried: number } {
    const verifying = this.#held.filter((held) => verifiesAt(held, at));
    const most = Math.max(leastTried, Math.floor(mostBytes / (bodyBytes + tryCost)));
    // guard S23: The larger a body, the fewer secrets it is tried with.
    const secrets = verifying.slice(0, most);
    return { secrets, untried: verifying.length - secrets.length };
  }

  /** Whether no secret is valid at a time (Unix milliseconds). */
  isEmpty(at: number): boolean {
    return !this.#held.some((held) => verifiesAt(held, at));
  }

  noteFit(fitted: HeldSecret): void {
    if (this.#held[0] === fitted) return;
    this.#held = [fitted, ...this.#held.filter((held) => held !== fitted)];
  }
}
