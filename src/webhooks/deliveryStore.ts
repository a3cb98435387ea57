import type { Delivery, Verdict } from '../model/delivery.ts';
import type { Arrival, NotedRun } from '../model/listenerProtocol.ts';
import { UserError } from '../model/userError.ts';
import type { Translate } from '../model/translate.ts';
import { Journal } from './journal.ts';
import {
  decodeRecord,
  encodeDelivery,
  encodeNote,
  headersOf,
  type KeptDelivery,
  type Note,
  runIdOf,
  toDelivery,
} from './record.ts';
import type { Place, Segment } from './segment.ts';

const maxBytes = 256 * 1024 * 1024;
const runsRemembered = 1000;

/** What is held of a delivery in memory; the rest lies in the journal. */
interface Entry {
  readonly id: string;
  readonly receivedAt: number;
  readonly verdict: Verdict;
  readonly requestId: string | undefined;
  /** Where it lies, once it does. */
  place?: Place;
  /** The delivery itself, until it is on the disk. */
  kept?: KeptDelivery;
  note: Omit<Note, 'id'>;
  /** `null` where the body was looked at and has none. */
  runId?: string | null;
}

export interface DeliveryStoreOptions {
  folder: string;
  keep: number;
  /** Why deliveries cannot be kept; undefined once they can again. */
  onProblem: (problem: Error | undefined) => void;
  /** A kept delivery is no longer as it was. */
  onChanged: (id: string) => void;
  t: Translate;
}

/** The deliveries that are kept, found by id, request id and run. */
export class DeliveryStore {
  readonly #options: DeliveryStoreOptions;
  readonly #journal: Journal;
  /** Oldest first. */
  readonly #entries = new Map<string, Entry>();
  /** The first of each request id. */
  readonly #firsts = new Map<string, Entry>();
  readonly #byRun = new Map<string, Set<Entry>>();
  readonly #runs = new Map<string, NotedRun>();
  #keep: number;

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

  /** Reads what earlier sessions kept. */
  load(): void {
    this.#journal.load((payload, place) => {
      const record = decodeRecord(payload);
      if (record?.kind === 'delivery') this.#index(entryOf(record.delivery), place);
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
    if (first === undefined) return undefined;
    return Buffer.compare(this.#keptOf(first).body, body) === 0 ? first.id : undefined;
  }

  /** Keeps a delivery: `kept` is called when it is on the disk, `lost` where it could not be. */
  add(delivery: KeptDelivery, kept: () => void, lost: (error: Error) => void): void {
    const entry = entryOf(delivery);
    entry.kept = delivery;
    // Known before it is kept, for a repeat that comes in the same turn.
    this.#rememberFirst(entry);
    this.#journal.append(
      encodeDelivery(delivery),
      (place) => {
        delete entry.kept;
        this.#index(entry, place);
        this.#trim();
        kept();
      },
      (error) => {
        this.#forgetFirst(entry);
        lost(error);
      },
    );
  }

  /** Notes what became known of a delivery. One that has gone meanwhile is passed over. */
  note(note: Note): void {
    if (!this.#entries.has(note.id)) return;
    this.#apply(note);
    this.#journal.append(encodeNote(note), doNothing, doNothing);
    this.#options.onChanged(note.id);
  }

  /** Joins a run to its deliveries, to those that are here and to those that will come. */
  noteRun(run: NotedRun): void {
    this.#runs.set(run.runId, run);
    const [oldest] = this.#runs.keys();
    if (this.#runs.size > runsRemembered && oldest !== undefined) this.#runs.delete(oldest);
    for (const { id } of this.#byRun.get(run.runId) ?? []) this.note({ id, appName: run.appName });
  }

  /** A delivery that has just come, joined to its run; undefined where it has gone already. */
  arrival(id: string): Arrival | undefined {
    const entry = this.#entries.get(id);
    if (entry === undefined) return undefined;
    const run = this.#runs.get(this.#runIdOf(entry) ?? '');
    if (run !== undefined && entry.note.appName === undefined) this.note({ id, appName: run.appName });
    const sinceRunMs = run && Math.max(0, entry.receivedAt - run.startedAt);
    return { delivery: this.#toDelivery(entry), ...(sinceRunMs !== undefined && { sinceRunMs }) };
  }

  /** The newest first. */
  list(limit = this.#keep, before?: string): Delivery[] {
    const entries = [...this.#entries.values()];
    const end = before === undefined ? -1 : entries.findIndex(({ id }) => id === before);
    const older = end === -1 ? entries : entries.slice(0, end);
    return older
      .slice(Math.max(0, older.length - limit))
      .reverse()
      .map((entry) => this.#toDelivery(entry));
  }

  has(id: string): boolean {
    return this.#entries.has(id);
  }

  /** @throws UserError where it is not kept. */
  get(id: string): Delivery {
    return this.#toDelivery(this.#entry(id));
  }

  /** The delivery byte for byte. @throws UserError where it is not kept. */
  kept(id: string): KeptDelivery {
    return this.#keptOf(this.#entry(id));
  }

  /** What is known of it since it was answered. */
  noteOf(id: string): Omit<Note, 'id'> {
    return this.#entries.get(id)?.note ?? {};
  }

  clear(): void {
    this.#journal.clear();
    this.#entries.clear();
    this.#firsts.clear();
    this.#byRun.clear();
  }

  close(): void {
    this.#journal.close();
  }

  #entry(id: string): Entry {
    const entry = this.#entries.get(id);
    if (entry === undefined) throw new UserError(this.#options.t('There is no delivery {0}.', id));
    return entry;
  }

  #index(entry: Entry, place: Place): void {
    entry.place = place;
    place.segment.live += 1;
    this.#entries.set(entry.id, entry);
    this.#rememberFirst(entry);
  }

  #apply({ id, ...note }: Note): void {
    const entry = this.#entries.get(id);
    if (entry !== undefined) entry.note = { ...entry.note, ...note };
  }

  #rememberFirst(entry: Entry): void {
    if (entry.requestId !== undefined && !this.#firsts.has(entry.requestId)) {
      this.#firsts.set(entry.requestId, entry);
    }
  }

  #forgetFirst(entry: Entry): void {
    if (entry.requestId !== undefined && this.#firsts.get(entry.requestId) === entry) {
      this.#firsts.delete(entry.requestId);
    }
  }

  #trim(): void {
    if (this.#entries.size <= this.#keep) return;
    for (const entry of this.#entries.values()) {
      this.#forget(entry);
      if (this.#entries.size <= this.#keep) break;
    }
    this.#journal.sweep();
  }

  #forget(entry: Entry): void {
    this.#entries.delete(entry.id);
    this.#forgetFirst(entry);
    this.#byRun.get(entry.runId ?? '')?.delete(entry);
    if (entry.place !== undefined) entry.place.segment.live -= 1;
  }

  #forgetSegment(segment: Segment): void {
    for (const entry of this.#entries.values()) {
      if (entry.place?.segment === segment) this.#forget(entry);
    }
  }

  #keptOf(entry: Entry): KeptDelivery {
    if (entry.kept !== undefined) return entry.kept;
    const { place } = entry;
    const record = place && decodeRecord(place.segment.read(place));
    if (record?.kind !== 'delivery') throw new Error(`The journal holds no delivery ${entry.id}.`);
    return record.delivery;
  }

  #toDelivery(entry: Entry): Delivery {
    const runId = this.#runIdOf(entry);
    // Its run may be known before the delivery has been announced, which is when the app's name is kept.
    const run = this.#runs.get(runId ?? '');
    return toDelivery(this.#keptOf(entry), { ...(run && { appName: run.appName }), ...entry.note }, runId);
  }

  #runIdOf(entry: Entry): string | undefined {
    if (entry.runId === undefined) {
      entry.runId = runIdOf(this.#keptOf(entry).body) ?? null;
      if (entry.runId !== null) {
        const ofRun = this.#byRun.get(entry.runId) ?? new Set();
        this.#byRun.set(entry.runId, ofRun.add(entry));
      }
    }
    return entry.runId ?? undefined;
  }
}

function entryOf({ id, receivedAt, verdict, rawHeaders }: KeptDelivery): Entry {
  return { id, receivedAt, verdict, requestId: headersOf(rawHeaders)['x-request-id'], note: {} };
}

function doNothing(): void {
  return;
}
