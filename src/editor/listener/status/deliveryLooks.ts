import * as vscode from 'vscode';
import { DeliveriesToLookAt, type LookedAt } from '../../../model/deliveries/toLookAt.ts';
import type { ListenerEvents } from '../listenerEvents.ts';
import type { Log } from '../../log.ts';
import type { ProgramHost } from '../program/programHost.ts';

/** Keys: the store revision up to which the window has received deliveries, and how far the user has looked. */
const toldKey = 'listener.told';
const lookedAtKey = 'listener.lookedAt';

interface DeliveryLooksParts {
  host: Pick<ProgramHost, 'ask' | 'isRunning'>;
  events: ListenerEvents;
  memento: vscode.Memento;
  log: Log;
}

/** Which deliveries this window has received, and which of them need a look. Remembered across reloads. */
export class DeliveryLooks implements vscode.Disposable {
  readonly #parts: DeliveryLooksParts;
  readonly #toLookAt: DeliveriesToLookAt;
  readonly #changed = new vscode.EventEmitter<void>();
  /** Fires when `count` changes. */
  readonly onDidChange = this.#changed.event;
  readonly #owned: vscode.Disposable;

  constructor(parts: DeliveryLooksParts) {
    const { events, memento } = parts;
    this.#parts = parts;
    this.#toLookAt = new DeliveriesToLookAt(memento.get<LookedAt>(lookedAtKey));
    this.#owned = vscode.Disposable.from(
      this.#changed,
      events.attached.event(() => this.#refresh()),
      events.forgot.event(() => this.#refresh()),
      events.news.event((news) => {
        this.#remember(toldKey, news.revision);
        this.#change(() => this.#toLookAt.take(news));
      }),
    );
  }

  /** The store revision up to which this window has received deliveries; undefined if it never received any. */
  get told(): number | undefined {
    return this.#parts.memento.get(toldKey);
  }

  /** How many deliveries need a look. */
  get count(): number {
    return this.#toLookAt.count;
  }

  /** Sets whether the view that lists the deliveries is visible: then they count as seen as they arrive. */
  setInSight(isInSight: boolean): void {
    this.#change(() => this.#toLookAt.setInSight(isInSight));
  }

  /** Marks a delivery as opened. */
  open(id: string): void {
    this.#change(() => this.#toLookAt.open(id));
  }

  dispose(): void {
    this.#owned.dispose();
  }

  /** Asks the program, if this window is attached: deliveries arrived before it attached, or were removed. */
  #refresh(): void {
    const { host, log } = this.#parts;
    if (!host.isRunning) return;
    const after = this.#toLookAt.lookedAt?.revision;
    host.ask('needLook', after === undefined ? {} : { after }).then(
      (found) => this.#change(() => this.#toLookAt.restore(found)),
      (error: unknown) => log.warn(`Counting what needs a look failed: ${String(error)}`),
    );
  }

  #change(work: () => void): void {
    const { count, lookedAt } = this.#toLookAt;
    work();
    if (this.#toLookAt.lookedAt !== lookedAt) this.#remember(lookedAtKey, this.#toLookAt.lookedAt);
    if (this.#toLookAt.count !== count) this.#changed.fire();
  }

  #remember(key: string, value: unknown): void {
    // If this fails, the program reports the same deliveries again after a reload.
    this.#parts.memento.update(key, value).then(undefined, () => undefined);
  }
}
