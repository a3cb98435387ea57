import type { DeliveryEdit } from '../../model/deliveries/deliveryEdit.ts';
import type { AttemptKind } from '../../model/deliveries/delivery.ts';
import { isRouted } from '../../model/routes/routes.ts';
import type { Answer, ListenerSettings } from '../../model/processes/listenerProtocol.ts';
import { causes } from '../../model/service/errorCauses.ts';
import { isListenerItself } from '../../model/service/loopback.ts';
import { forwardUrl } from '../../model/routes/forwardUrl.ts';
import { editedDelivery } from '../../webhooks/deliveries/editedDelivery.ts';
import { answerOf, replay, resigningSecret } from '../../webhooks/deliveries/replay.ts';
import { type Answered, networkReason, outcomeOf } from '../../webhooks/deliveries/sendRequest.ts';
import type { DeliveryStore } from '../store/deliveryStore.ts';

export interface ReplaysOptions {
  readonly store: Pick<DeliveryStore, 'kept' | 'note'>;
  readonly settings: Pick<
    ListenerSettings,
    'forwardTo' | 'routes' | 'publicUrl' | 'secrets' | 'maxBodyBytes'
  >;
  /** Of the listener itself; undefined where it does not listen. */
  readonly port: number | undefined;
}

/** A kept delivery that is to be sent again. */
interface Replay {
  id: string;
  to: string;
  resign: boolean;
  /** What of it is sent in another way than it came. */
  edit?: DeliveryEdit;
}

/** Sends kept deliveries again for one window, and keeps what became of that with each. */
export class Replays {
  readonly #options: ReplaysOptions;
  #stopped = new AbortController();

  constructor(options: ReplaysOptions) {
    this.#options = options;
  }

  /** @throws UserError where it is not kept, cannot be sent as it was edited, or nobody answers */
  async send({ id, to, resign, edit }: Replay): Promise<Answer> {
    const { store, settings } = this.#options;
    const kept = store.kept(id);
    const request = edit === undefined ? kept : editedDelivery(kept, edit, settings.maxBodyBytes);
    const secret = resign ? resigningSecret(kept, settings.secrets) : undefined;
    // What is sent to the local app again goes where it was forwarded to.
    const { href } = isRouted(to, settings) ? forwardUrl(to, kept.path) : new URL(to);
    const { signal } = this.#stopped;
    const started = performance.now();
    const note = (outcome: { error: string } | ReturnType<typeof outcomeOf>, answer?: Answered): void => {
      // There it arrives as a delivery of its own, and nobody has taken it yet.
      const {
        port,
        settings: { publicUrl },
      } = this.#options;
      if (isListenerItself(new URL(href), { port, publicUrl })) return;
      const asItCame: AttemptKind = secret === undefined ? 'replay' : 'signedAnew';
      const kind: AttemptKind = edit === undefined ? asItCame : 'edited';
      const durationMs = Math.round(performance.now() - started);
      const attempt = { kind, to: href, durationMs, ...outcome };
      store.note({ id, attempt, ...(answer && { answer }) });
    };
    try {
      const answered = await replay(request, href, secret, { now: Date.now, signal });
      note(outcomeOf(answered), answered);
      return answerOf(answered);
    } catch (error) {
      note({ error: signal.aborted ? 'ECANCELED' : reasonOf(error) });
      throw error;
    }
  }

  /** Breaks off those that are under way: each of them rejects. */
  stop(): void {
    this.#stopped.abort();
    this.#stopped = new AbortController();
  }
}

/** The code or the message of the error that Node gave; of a time limit its name. */
function reasonOf(error: unknown): string {
  const all = [...causes(error)];
  const late = all.find(({ name }) => name === 'TimeoutError');
  return late?.name ?? networkReason(all[1] ?? error);
}
