import * as vscode from 'vscode';
import { DeliveriesToLookAt, type LookedAt } from '../../../model/deliveries/toLookAt.ts';
import type { ListenerEvents } from '../listenerEvents.ts';
import type { Log } from '../../log.ts';
import type { ProgramHost } from '../program/programHost.ts';

/** Under what a window remembers up to which revision of the store it was told of deliveries, and how far somebody looked. */
const toldKey = 'listener.told';
const lookedAtKey = 'listener.lookedAt';

interface DeliveryLooksParts {
  host: Pick<ProgramHost, 'ask' | 'isRunning'>;
  events: ListenerEvents;
  memento: vscode.Memento;
  log: Log;
}

/** What this window was told of deliveries, and what of that needs a look. It is remembered over a reload. */
export class DeliveryLooks implements vscode.Disposable {
  readonly #parts: DeliveryLooksParts;
  readonly #toLookAt: DeliveriesToLookAt;
  readonly #changed = new vscode.EventEmitter<void>();
  /** There are more or fewer now. */
  readonly onDidChange = this.#changed.event;
  readonly #owned: vscode.Disposable;

  constructor(parts: DeliveryLooksParts) {
    const { events, memento } = parts;
    this.#parts = parts;
    this.#toLookAt = new DeliveriesToLookAt(memento.get<LookedAt>(lookedAtKey));
    this.#owned = vscode.Disposable.from(
      this.#changed,
      events.attached.event(() => this.#askAgain()),
      events.forgot.event(() => this.#askAgain()),
      events.news.event((news) => {
        this.#remember(toldKey, news.revision);
        this.#change(() => this.#toLookAt.take(news));
      }),
    );
  }

  /** Up to which revision of the store this window was told of deliveries; undefined where it never was told of any. */
  get told(): number | undefined {
    return this.#parts.memento.get(toldKey);
  }

  /** How many need a look. */
  get count(): number {
    return this.#toLookAt.count;
  }

  /** Whether the view that shows them is shown: then they are seen as they come. */
  setInSight(isInSight: boolean): void {
    this.#change(() => this.#toLookAt.setInSight(isInSight));
  }

  /** A delivery was opened. */
  open(id: string): void {
    this.#change(() => this.#toLookAt.open(id));
  }

  dispose(): void {
    this.#owned.dispose();
  }

  /** Asks the program, where this window is attached to one: deliveries came before the window did, or have gone. */
  #askAgain(): void {
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
    // What is not remembered is told once more.
    this.#parts.memento.update(key, value).then(undefined, () => undefined);
  }
}
