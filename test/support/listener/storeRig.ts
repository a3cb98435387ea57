import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DeliveryStore } from '../../../src/listener/store/deliveryStore.ts';
import type { KeptDelivery, NewDelivery } from '../../../src/deliveries/keptDelivery.ts';

/** A temporary folder for a store, and what the store reported. */
export class StoreRig {
  readonly folder = fs.mkdtempSync(join(tmpdir(), 'runhook-store-'));
  readonly problems: (string | undefined)[] = [];
  readonly setAside: string[] = [];
  readonly #open: DeliveryStore[] = [];
  /** Each report of how many deliveries were dropped before they were forwarded. */
  readonly unforwarded: number[] = [];
  clock = 1_790_000_000_000;
  readonly #now: () => number;

  /** @param now a clock in Unix milliseconds */
  constructor(now?: () => number) {
    this.#now = now ?? (() => this.clock);
  }

  get file(): string {
    return join(this.folder, 'deliveries.sqlite');
  }

  /** Opens the store, as another listener program does. */
  store(keep = 1000, publishedUntil?: () => number): DeliveryStore {
    const made = new DeliveryStore({
      folder: this.folder,
      keep,
      now: this.#now,
      onProblem: (problem) => this.problems.push(problem?.message),
      onSetAside: (path) => this.setAside.push(path),
      onUnforwarded: (count) => this.unforwarded.push(count),
      onChanged: () => undefined,
      ...(publishedUntil && { publishedUntil }),
    });
    made.trim();
    this.#open.push(made);
    return made;
  }

  removeFolder(): void {
    fs.rmSync(this.folder, { recursive: true, force: true });
  }

  get hasFolder(): boolean {
    return fs.existsSync(this.folder);
  }

  end(): void {
    for (const store of this.#open) store.close();
    this.removeFolder();
  }
}

/** SQL that turns a store's file into version 2, which had no answers. */
export const downgradeToVersion2 = `
  CREATE TABLE search_blocks (block INTEGER PRIMARY KEY, standing TEXT NOT NULL, last INTEGER NOT NULL, seqs BLOB NOT NULL) STRICT;
  CREATE TABLE search_marks (place INTEGER PRIMARY KEY, marks BLOB NOT NULL) STRICT;
  DROP TABLE relayed;
  ALTER TABLE deliveries DROP COLUMN waited_ms;
  ALTER TABLE attempts DROP COLUMN failed_at;
  DROP TABLE made;
  ALTER TABLE deliveries DROP COLUMN made_of;
  DROP TABLE repeats;
  ALTER TABLE deliveries DROP COLUMN first_path;
  DROP INDEX waiting;
  DROP INDEX not_waiting;
  ALTER TABLE deliveries DROP COLUMN forward_to;
  DROP TABLE answers;
  DROP INDEX refused;
  ALTER TABLE deliveries DROP COLUMN answer_bytes;
  ALTER TABLE deliveries DROP COLUMN judged_revision;
  CREATE INDEX by_standing ON deliveries (standing, seq, bytes);
  CREATE INDEX by_run ON deliveries (run_id) WHERE run_id IS NOT NULL;
  CREATE INDEX by_request ON deliveries (request_id, bytes) WHERE standing = 'verified';
  PRAGMA user_version = 2;
`;

/** A delivery that verified. */
export function kept(id: string, changed: Partial<KeptDelivery> = {}): KeptDelivery {
  return {
    id,
    receivedAt: 1_790_000_000_000,
    verdict: 'verified',
    standing: 'verified',
    answered: 200,
    method: 'POST',
    path: '/',
    rawHeaders: ['X-Request-Id', `r-${id}`],
    body: Buffer.from(`{"id":"${id}"}`),
    ...changed,
  };
}

export function refused(id: string, body: Uint8Array = Buffer.from('{}')): KeptDelivery {
  return kept(id, { verdict: 'mismatch', standing: 'refused', answered: 401, body });
}

/** Adds deliveries in one transaction. @returns for each whether it was kept */
export function add(to: DeliveryStore, ...deliveries: readonly NewDelivery[]): boolean[] {
  const wasKept: boolean[] = [];
  deliveries.forEach((one, index) => {
    to.add(
      one,
      () => (wasKept[index] = true),
      () => (wasKept[index] = false),
    );
  });
  to.flush();
  return wasKept;
}

/** The ids of all kept deliveries, newest first. */
export function ids(of: DeliveryStore): string[] {
  return of.page({}, 1_000_000).deliveries.map(({ id }) => id);
}
