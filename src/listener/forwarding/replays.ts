import type { Remote } from '../../deliveries/localTls.ts';
import type { DeliveryEdit } from '../../contract/deliveryEdit.ts';
import { type AttemptKind, attemptErrors } from '../../contract/delivery.ts';
import { forwardUrl, isRouted } from '../../deliveries/routes/routes.ts';
import type { Answer, ListenerSettings } from '../../deliveries/listenerProtocol.ts';
import { causes } from '../../shared/http/failureReason.ts';
import { isListenerItself } from '../../shared/http/loopback.ts';
import { editedDelivery } from '../../deliveries/editedDelivery.ts';
import { leadsToListener } from './leadsToListener.ts';
import { answerOf, replay } from '../../deliveries/replay.ts';
import { resigningSecret } from '../../deliveries/resigningSecret.ts';
import { type Answered, networkReason, outcomeOf } from '../../deliveries/sendRequest.ts';
import { headerOf, readSignature } from '../../service/signature/signature.ts';
import type { DeliveryStore } from '../store/deliveryStore.ts';
import { SecretMask } from '../../shared/masking/secretMask.ts';

export interface ReplaysOptions {
  readonly store: Pick<DeliveryStore, 'kept' | 'note' | 'noteMade'>;
  readonly settings: Pick<
    ListenerSettings,
    'forwardTo' | 'routes' | 'publicUrl' | 'secrets' | 'maxBodyBytes' | 'acceptLocalCertificates'
  >;
  /** The listener's own port; undefined when it does not listen. */
  readonly port: number | undefined;
  /** The replays of all windows that wait for their response for a while. */
  readonly waiting: Set<WaitingReplay>;
}

export interface WaitingReplay {
  /** Of the delivery. */
  readonly id: string;
  /** Unix milliseconds. */
  readonly since: number;
}

/** After what time a replay counts as waiting, in milliseconds: most have their response at once. */
const waitingMs = 1000;

/** A replay of a kept delivery. */
interface Replay {
  id: string;
  to: string;
  resign: boolean;
  /** Changes to make to the delivery before it is sent. */
  edit?: DeliveryEdit;
  limitMs?: number | undefined;
}

/** Replays kept deliveries, and notes each outcome with its delivery. */
export class Replays {
  readonly #options: ReplaysOptions;

  constructor(options: ReplaysOptions) {
    this.#options = options;
  }

  /**
   * @param signal cancels it
   * @throws UserError if the delivery is not kept, the edited request cannot be sent, or nobody answers
   */
  async send({ id, to, resign, edit, limitMs }: Replay, signal: AbortSignal): Promise<Answer> {
    const { store, settings, waiting } = this.#options;
    const kept = store.kept(id);
    const request = edit === undefined ? kept : editedDelivery(kept, edit, settings.maxBodyBytes);
    // Where it goes to the listener itself, it is still one that was made here.
    const requestId = headerOf(request.rawHeaders, 'x-request-id');
    if (kept.madeOf !== undefined && requestId !== undefined) store.noteMade(requestId, kept.madeOf);
    const secret = resign
      ? resigningSecret({ ...kept, headers: kept.rawHeaders }, settings.secrets)
      : undefined;
    const isUnsigned = secret === undefined && readSignature(request.rawHeaders).kind === 'unsigned';
    const asItCame: AttemptKind = secret === undefined ? 'replay' : 'signedAnew';
    const asEdited: AttemptKind = isUnsigned ? 'unsigned' : 'edited';
    const kind = edit === undefined ? asItCame : asEdited;
    // A replay to the local app uses the URL that the delivery was forwarded to.
    const { href } = isRouted(to, settings) ? forwardUrl(to, kept.firstPath ?? kept.path) : new URL(to);
    const started = performance.now();
    let isToListener = false;
    const onConnected = (remote: Remote): void => {
      isToListener = leadsToListener(remote, this.#options.port);
    };
    const note = (
      durationMs: number,
      outcome: { error: string } | ReturnType<typeof outcomeOf>,
      answer?: Answered,
    ): void => {
      // A replay to the listener itself arrives there as a new delivery, so no attempt is noted here.
      const { publicUrl } = this.#options.settings;
      if (isToListener || isListenerItself(new URL(href), { publicUrl })) return;
      const attempt = { kind, to: href, durationMs, ...outcome };
      store.note({ id, attempt, ...(answer && { answer }) });
    };
    const own: WaitingReplay = { id, since: Date.now() };
    // The empty note has windows told of the delivery again.
    const timer = setTimeout(() => {
      waiting.add(own);
      store.note({ id });
    }, waitingMs);
    try {
      const answered = await replay(request, href, secret, {
        now: Date.now,
        signal,
        onConnected,
        acceptLocalCertificates: settings.acceptLocalCertificates ?? false,
        limitMs,
      });
      const mask = new SecretMask(settings.secrets.map((held) => held.secret));
      note(answered.durationMs, outcomeOf(answered, mask), answered);
      return answerOf(answered);
    } catch (error) {
      const durationMs = Math.round(performance.now() - started);
      note(durationMs, { error: signal.aborted ? attemptErrors.cancelled : reasonOf(error) });
      throw error;
    } finally {
      clearTimeout(timer);
      if (waiting.delete(own)) store.note({ id });
    }
  }
}

/** The code or message of Node's error; for a timeout, the error's name. */
function reasonOf(error: unknown): string {
  const all = [...causes(error)];
  const late = all.find(({ name }) => name === 'TimeoutError');
  return late?.name ?? networkReason(all[1] ?? error);
}
