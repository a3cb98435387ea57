import type { Delivery } from '../model/delivery.ts';
import type { Arrival, NotedRun } from '../model/listenerProtocol.ts';
import { UserError } from '../model/userError.ts';
import type { Translate } from '../model/translate.ts';
import { type DeliveryEntry, entryOf } from './deliveryEntry.ts';
import { Journal } from './journal.ts';
import {
  decodeRecord,
  encodeDelivery,
  encodeNote,
  type KeptDelivery,
  type Note,
  toDelivery,
} from './record.ts';
import { runIdOf } from './runIdOf.ts';
import { RunIndex } from './runIndex.ts';
import type { Place, Segment } from './segment.ts';

const maxBytes = 256 * 1024 * 1024;
/** Of what has not been told, so many bytes of bodies stay in memory; the rest is read from the journal again. */
const maxHeldBytes = 1024 * 1024;

export interface DeliveryStoreOptions {
  folder: string;
  keep: number;
  /** Why deliveries cannot be kept; undefined once they can again. */
  onProblem: (problem: Error | undefined) => void;
  /** A kept delivery is no longer as it was. */
  onChanged: (id: string) => void;
  /** Why a delivery did not verify; asked after it was answered. */
  reasonFor: (delivery: KeptDelivery) => string | undefined;
  t: Translate;
}

/** The deliveries that are kept, found by id, request id and run. */
export class DeliveryStore {
  readonly #options: DeliveryStoreOptions;
  readonly #journal: Journal;
  /** Oldest first. */
  readonly #entries = new Map<string, DeliveryEntry>();
  /** The first of each request id. */
  readonly #firsts = new Map<string, DeliveryEntry>();
  readonly #runs = new RunIndex();
  #keep: number;
  /** Bytes of the bodies that are held in memory. */
  #heldBytes = 0;
  #unverified = 0;

  constructor(options: DeliveryStoreOptions) {
    this.#options = options;
    this.#keep = options.keep;
    this.#journal = new Journal({
      folder: options.folder,
      maxBytes,
      onProblem: options.onProblem,
      onRemoved: (segment) => this.#forgetSegment(segment),
    });
  }

  /** Reads what other sessions have kept, or have kept since the last time. */
  load(): void {
    this.#journal.load((payload, place) => {
      const record = decodeRecord(payload);
      if (record?.kind === 'delivery') this.#index(entryOf(record.delivery, true), place);
      if (record?.kind === 'note') this.#apply(record.note);
    });
    this.#trim();
  }

  setKeep(keep: number): void {
    this.#keep = keep;
    this.#trim();
  }

  /**
   * The first delivery with this request id and body, if there is one.
   * @param body the raw bytes
   */
  firstOf(requestId: string | undefined, body: Uint8Array): string | undefined {
    const first = requestId === undefined ? undefined : this.#firsts.get(requestId);
    // Of one that is as long alone: whoever knows the id of a large one must not have it read for two bytes.
    const kept = first?.bytes === body.length ? this.#keptOf(first) : undefined;
    return kept && Buffer.compare(kept.body, body) === 0 ? kept.id : undefined;
  }

  /** Keeps a delivery: `kept` is called when it is on the disk, `lost` where it could not be. */
  add(delivery: KeptDelivery, kept: () => void, lost: (error: Error) => void): void {
    const entry = entryOf(delivery, false);
    this.#hold(entry, delivery);
    // Known before it is kept, for a repeat that comes in the same turn.
    this.#rememberFirst(entry);
    this.#journal.append(
      encodeDelivery(delivery),
      (place) => {
        if (this.#heldBytes > maxHeldBytes) this.#letGo(entry);
        this.#index(entry, place);
        this.#trim();
        kept();
      },
      (error) => {
        this.#forgetFirst(entry);
        this.#letGo(entry);
        lost(error);
      },
    );
  }

  /** Notes what became known of a delivery. One that has gone meanwhile is passed over. */
  note(note: Note): void {
    if (!this.#entries.has(note.id)) return;
    this.#apply(note);
    this.#journal.append(encodeNote(note));
    this.#options.onChanged(note.id);
  }

  /** Joins a run to its deliveries, to those that are here and to those that will come. */
  noteRun(run: NotedRun): void {
    for (const id of this.#runs.note(run)) this.note({ id, appName: run.appName });
  }

  /** A delivery that has just come, with its run; undefined where it has gone already. */
  arrival(id: string): Arrival | undefined {
    const entry = this.#entries.get(id);
    if (entry === undefined) return undefined;
    const delivery = this.#toDelivery(entry);
    if (delivery === undefined) return undefined;
    entry.told = true;
    this.#letGo(entry);
    this.#trim();
    const run = this.#runs.get(delivery.runId);
    const { forward, repeatOf } = delivery;
    const wasTaken =
      forward === undefined && repeatOf !== undefined && this.takenStatus(repeatOf) !== undefined;
    return {
      delivery,
      ...(wasTaken && { wasTaken }),
      ...(run !== undefined && { sinceRunMs: Math.max(0, entry.receivedAt - run.startedAt) }),
    };
  }

  /** How many are kept that did not verify. */
  get unverified(): number {
    let count = this.#unverified;
    let excess = this.#entries.size - this.#keep;
    for (const { isVerified } of this.#entries.values()) {
      if (excess <= 0) break;
      excess -= 1;
      if (!isVerified) count -= 1;
    }
    return count;
  }

  /** The ids of those that are kept, the newest first. */
  ids(): string[] {
    return [...this.#entries.keys()].reverse().slice(0, this.#keep);
  }

  /** Undefined where it is not kept, or not any more. */
  find(id: string): Delivery | undefined {
    const entry = this.#entries.get(id);
    return entry && this.#toDelivery(entry);
  }

  /** @throws UserError where it is not kept. */
  get(id: string): Delivery {
    return this.find(id) ?? this.#missing(id);
  }

  /** The delivery byte for byte. @throws UserError where it is not kept. */
  kept(id: string): KeptDelivery {
    const entry = this.#entries.get(id);
    return (entry && this.#keptOf(entry)) ?? this.#missing(id);
  }

  /** The 2xx with which the local app took this delivery, the first, or a repeat of it. */
  takenStatus(id: string): number | undefined {
    return this.#entries.get(id)?.taken;
  }

  clear(): void {
    this.#journal.clear();
    this.#entries.clear();
    this.#unverified = 0;
    this.#firsts.clear();
    this.#runs.clear();
  }

  /** Has on the disk all that was added, and calls `kept` for it. */
  flush(): void {
    this.#journal.flush();
  }

  close(): void {
    this.#journal.close();
  }

  #missing(id: string): never {
    throw new UserError(this.#options.t('There is no delivery {0}.', id));
  }

  #index(entry: DeliveryEntry, place: Place): void {
    entry.place = place;
    place.segment.live += 1;
    if (!entry.isVerified) this.#unverified += 1;
    this.#entries.set(entry.id, entry);
    this.#rememberFirst(entry);
  }

  #apply({ id, ...note }: Note): void {
    const entry = this.#entries.get(id);
    if (entry === undefined) return;
    entry.note = { ...entry.note, ...note };
    const status = note.forward?.status ?? 0;
    const first = this.#entries.get(entry.repeatOf ?? id);
    if (status >= 200 && status < 300 && first !== undefined) first.taken = status;
  }

  #rememberFirst(entry: DeliveryEntry): void {
    if (entry.requestId !== undefined && !this.#firsts.has(entry.requestId)) {
      this.#firsts.set(entry.requestId, entry);
    }
  }

  #forgetFirst(entry: DeliveryEntry): void {
    if (entry.requestId !== undefined && this.#firsts.get(entry.requestId) === entry) {
      this.#firsts.delete(entry.requestId);
    }
  }

  /** A sixteenth at a time: the front of a Map costs a step for each taken from it. */
  #trim(): void {
    if (this.#entries.size <= this.#keep * 1.0625) return;
    for (const entry of this.#entries.values()) {
      if (!entry.told || this.#entries.size <= this.#keep) break;
      this.#forget(entry);
    }
    this.#journal.sweep();
  }

  #forget(entry: DeliveryEntry): void {
    this.#entries.delete(entry.id);
    if (!entry.isVerified) this.#unverified -= 1;
    this.#letGo(entry);
    this.#forgetFirst(entry);
    this.#runs.remove(entry.settled?.runId, entry.id);
    if (entry.place !== undefined) entry.place.segment.live -= 1;
  }

  #forgetSegment(segment: Segment): void {
    for (const entry of this.#entries.values()) {
      if (entry.place?.segment === segment) this.#forget(entry);
    }
  }

  #hold(entry: DeliveryEntry, delivery: KeptDelivery): void {
    entry.kept = delivery;
    this.#heldBytes += delivery.body.byteLength;
  }

  #letGo(entry: DeliveryEntry): void {
    this.#heldBytes -= entry.kept?.body.byteLength ?? 0;
    delete entry.kept;
  }

  /** Undefined, and forgotten, where another window received it and has let it go since. */
  #keptOf(entry: DeliveryEntry): KeptDelivery | undefined {
    if (entry.kept !== undefined) return entry.kept;
    const payload = entry.place?.segment.read(entry.place);
    const record = payload && decodeRecord(payload);
    if (record?.kind === 'delivery') return record.delivery;
    this.#forget(entry);
    return undefined;
  }

  #toDelivery(entry: DeliveryEntry): Delivery | undefined {
    const kept = this.#keptOf(entry);
    if (kept === undefined) return undefined;
    const { runId } = (entry.settled ??= this.#settle(entry, kept));
    return toDelivery(kept, entry.note, runId);
  }

  /** Joins a delivery to its run and finds out why it did not verify: work that no answer waits for. */
  #settle(entry: DeliveryEntry, kept: KeptDelivery): { runId: string | undefined } {
    const runId = runIdOf(kept.body);
    const found: Omit<Note, 'id'> = {};
    if (runId !== undefined) {
      this.#runs.add(runId, entry.id);
      const appName = entry.note.appName === undefined ? this.#runs.get(runId)?.appName : undefined;
      if (appName !== undefined) found.appName = appName;
    }
    const isExplained = kept.reason !== undefined || entry.note.reason !== undefined;
    const reason = isExplained ? undefined : this.#options.reasonFor(kept);
    if (reason !== undefined) found.reason = reason;
    if (Object.keys(found).length > 0) {
      entry.note = { ...entry.note, ...found };
      this.#journal.append(encodeNote({ id: entry.id, ...found }));
    }
    return { runId };
  }
}
