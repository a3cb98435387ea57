import { isUtf8 } from 'node:buffer';
import type { DatabaseSync, SQLInputValue, SQLOutputValue } from 'node:sqlite';
import * as v from 'valibot';
import { attemptErrors, type Delivery, editedKinds, type WholeDelivery } from '../../contract/delivery.ts';
import { forwardUrl } from '../../deliveries/routes/routes.ts';
import {
  type KeptDelivery,
  type NewDelivery,
  type Note,
  noted,
  toDelivery,
  wholeDelivery,
} from '../../deliveries/keptDelivery.ts';
import { runIdOf } from '../../deliveries/runIdOf.ts';
import { headerOf } from '../../service/signature/signature.ts';
import { AttemptTable } from './attemptTable.ts';
import { bytesParameter, listed } from './database.ts';
import {
  type ChangedDelivery,
  readDelivery,
  readKept,
  selectDeliveries,
  selectKept,
  RecentChanges,
} from './deliveryRow.ts';
import type { Change } from './retention.ts';
import { MadeTable } from './madeTable.ts';
import { RelayedTable } from './relayedTable.ts';
import { RepeatTable } from './repeatTable.ts';
import { brokenFile } from './storeError.ts';

/** How many runs are remembered for future deliveries. */
const rememberedRuns = 1000;

/** Where a delivery is stored, which is the first of it, and how much room it takes. */
const placeSchema = v.object({
  seq: v.number(),
  first: v.string(),
  standing: v.string(),
  isWaiting: v.pipe(
    v.number(),
    v.transform((is) => is === 1),
  ),
  bytes: v.number(),
});

const unsettledSchema = v.object({ seq: v.number(), body: v.instance(Uint8Array) });
/** A delivery of which nobody has looked up yet which run it names. */
export type UnsettledDelivery = v.InferOutput<typeof unsettledSchema>;

/** A delivery that names a run. */
interface OfRun {
  seq: number;
  id: string;
  runId: string;
  app: unknown;
}

const runSchema = v.object({ runId: v.string(), appName: v.string(), startedAt: v.number() });
/** A run of the service. `startedAt` is in Unix milliseconds. */
export type KeptRun = v.InferOutput<typeof runSchema>;

const waitingSchema = v.object({ id: v.string(), first: v.string(), to: v.string(), path: v.string() });

/** The tables that outlive the deliveries. */
const outliving = ['runs', 'repeats', 'made', 'relayed'] as const;

/** What stays where the deliveries are cleared by removing their file. */
export interface StoreRest {
  revision: number;
  rows: Record<(typeof outliving)[number], Record<string, SQLOutputValue>[]>;
}

/** How many deliveries of a run are read: more repeats say nothing more. */
const mostOfRun = 100;

/** By how much the clock may have been set back since a run was started, in milliseconds. */
const clockMs = 60_000;

/** How many bytes of bodies are read in one go. */
const bytesAtOnce = 8 * 1024 * 1024;

/** The tables that DeliveryStore reads and writes. Write only between {@link DeliveryTable.begin} and `end`. */
export class DeliveryTable {
  readonly #database: DatabaseSync;
  readonly #statements: ReturnType<typeof prepare>;
  readonly attempts: AttemptTable;
  readonly repeats: RepeatTable;
  readonly made: MadeTable;
  readonly relayed: RelayedTable;
  readonly #recent = new RecentChanges();
  /** The last revision that a change has got in this transaction. */
  #revision = 0;

  constructor(database: DatabaseSync) {
    this.#database = database;
    this.#statements = prepare(database);
    this.attempts = new AttemptTable(database);
    this.repeats = new RepeatTable(database);
    this.made = new MadeTable(database);
    this.relayed = new RelayedTable(database);
  }

  get revision(): number {
    const revision = this.#statements.revision.get()?.['value'];
    // The counter is created with the tables.
    if (typeof revision !== 'number') throw brokenFile('the file of the deliveries has no count');
    return revision;
  }

  /** Call this at the start of a transaction. */
  begin(): void {
    this.#revision = this.revision;
    this.#recent.begin(this.#revision, this.#version);
  }

  /** Call this at the end of a transaction: the revision is written once for all of its changes. */
  end(): void {
    this.#statements.setRevision.run(this.#revision);
  }

  /** Call this when the transaction was committed. */
  committed(): void {
    this.#recent.commit(this.#revision);
  }

  /** @param run the run that it names, if any; undefined if that is looked up later: see {@link settle} */
  add(delivery: NewDelivery, run?: { runId?: string }): void {
    const { id, rawHeaders, body, recognised, path: ownPath, firstPath: path = ownPath } = delivery;
    const revision = this.#nextRevision();
    const repeatOf = this.#repeatOf(delivery);
    const first = repeatOf === undefined ? undefined : this.#statements.ofFirst.get(repeatOf);
    // A repeat belongs to the run that its first was joined to.
    const runId = run?.runId ?? textOf(first?.['run_id']);
    // A run of yours tells its app for sure; a repeat has that of its first, else its path names one.
    const ofRun = runId === undefined ? undefined : this.#noted(runId);
    const appName = ofRun?.appName ?? textOf(first?.['app_name']) ?? delivery.appName;
    const wasTaken = repeatOf !== undefined && this.repeats.acceptedStatus(repeatOf) !== undefined;
    const row: Record<(typeof columns)[number], SQLInputValue> = {
      revision,
      arrived_revision: revision,
      id,
      received_at: delivery.receivedAt,
      verdict: delivery.verdict,
      standing: delivery.standing,
      answered: delivery.answered,
      request_id: headerOf(rawHeaders, 'x-request-id') ?? null,
      repeat_of: repeatOf ?? null,
      reason: delivery.reason ?? null,
      method: delivery.method,
      path: ownPath,
      // No part holds a line feed: HTTP forbids it in a header.
      headers: rawHeaders.join('\n'),
      bytes: body.byteLength,
      is_text: isUtf8(body) ? 1 : 0,
      run_id: runId ?? null,
      app_name: appName ?? null,
      is_settled: run === undefined ? 0 : 1,
      forward_to: delivery.forwardTo ?? null,
      first_path: delivery.firstPath ?? null,
      made_of: delivery.madeOf ?? null,
      waited_ms: delivery.waitedMs ?? null,
    };
    const { lastInsertRowid: seq } = this.#statements.add.run(...columns.map((column) => row[column]));
    this.#statements.addBody.run(seq, body);
    if (delivery.relayed !== undefined) this.relayed.remember(delivery.relayed);
    if (recognised !== undefined) this.repeats.remember({ ...recognised, first: repeatOf ?? id, path });
    const known = {
      ...{ bytes: body.byteLength, runId, appName, runStartedAt: ofRun?.startedAt },
      ...(wasTaken && { wasTaken }),
    };
    this.#recent.add({
      ...{ seq: Number(seq), revision, arrivedRevision: revision },
      delivery: toDelivery({ ...delivery, repeatOf }, known),
    });
  }

  /** The first of a repeat, unless the file that it was found in was removed since. */
  #repeatOf({ repeatOf }: NewDelivery): string | undefined {
    if (repeatOf === undefined) return undefined;
    return this.#statements.isKnown.get(repeatOf) === undefined ? undefined : repeatOf;
  }

  /** @returns undefined if the delivery is no longer kept */
  note(note: Note, at: number): Change | undefined {
    const { id, attempt, answer, failure, wasTaken, runId } = note;
    const run = runId === undefined ? undefined : this.#noted(runId);
    const appName = note.appName ?? run?.appName;
    const row = this.#statements.placeOf.get(id);
    if (row === undefined) {
      this.repeats.noteUnkept(note);
      return undefined;
    }
    const { seq, first, ...before } = v.parse(placeSchema, row);
    this.#change(seq, id, { ...note, appName }, { at, runStartedAt: run?.startedAt });
    const isForwarded = attempt?.kind === 'forward' || wasTaken === true;
    if (before.isWaiting && isForwarded) this.#statements.endWaiting.run(seq);
    const grown = attempt === undefined ? 0 : this.attempts.add({ seq, attempt, at, answer });
    if (failure !== undefined) this.attempts.addFailure(seq, Date.parse(failure.at), failure.failedAt);
    if (attempt !== undefined || wasTaken === true) this.repeats.noteKept(first);
    return {
      before,
      now: { ...before, ...(isForwarded && { isWaiting: false }), bytes: before.bytes + grown },
    };
  }

  /** Notes that waiting deliveries were never forwarded. @returns how many of them the local app has not taken */
  endForwards(at: number): number {
    let count = 0;
    for (const row of this.#statements.waiting.all()) {
      const { id, first, to, path } = v.parse(waitingSchema, row);
      if (this.repeats.acceptedStatus(first) !== undefined) {
        this.note({ id, wasTaken: true }, at);
        continue;
      }
      // guard S37: A delivery that the app had not answered when the listener ended is kept as not accepted.
      count += 1;
      const address = URL.canParse(to) ? forwardUrl(to, path).href : to;
      const error = attemptErrors.listenerEnded;
      this.note({ id, attempt: { kind: 'forward', to: address, durationMs: 0, error } }, at);
    }
    return count;
  }

  /** Looks up the run that a delivery names. It counts as arrived now, so windows are told of it. */
  settle({ seq, body }: UnsettledDelivery): void {
    this.#statements.settle.run(this.#nextRevision(), runIdOf(body) ?? null, seq);
    const settled = this.#statements.bySeq.get(seq);
    if (settled !== undefined) this.#recent.add(readDelivery(settled));
  }

  noteRun({ runId, appName, startedAt }: KeptRun): void {
    const isNew = this.#noted(runId)?.startedAt !== startedAt;
    this.#statements.addRun.run(runId, appName, startedAt);
    this.#statements.forgetRuns.run(rememberedRuns);
    for (const { seq, id, app } of this.#ofRuns([runId], startedAt)) {
      if (isNew || app !== appName) this.#change(seq, id, { appName }, { runStartedAt: startedAt });
    }
  }

  /** See {@link DeliveryStore.ofRun}. */
  ofRun(runId: string, startedAt: number): Delivery[] {
    const ids = this.#ofRuns([runId], startedAt).map(({ id }) => id);
    return ids
      .slice(0, mostOfRun)
      .reverse()
      .flatMap((id) => this.find(id) ?? []);
  }

  awaitedSince(startedAt: number): number {
    const awaited = new Set(this.#statements.runsSince.all(startedAt).map((row) => String(row['run_id'])));
    if (awaited.size === 0) return 0;
    for (const { runId } of this.#ofRuns(awaited, startedAt)) awaited.delete(runId);
    return awaited.size;
  }

  /** The deliveries of runs that were started after a time: they have come since, so only those are read. */
  #ofRuns(runIds: Iterable<string>, startedAt: number): OfRun[] {
    const sought = new Set(runIds);
    const found: OfRun[] = [];
    for (const row of this.#statements.newestFirst.iterate()) {
      if (Number(row['received_at']) < startedAt - clockMs) break;
      const runId = String(row['run_id']);
      if (!sought.has(runId)) continue;
      found.push({ seq: Number(row['seq']), id: String(row['id']), runId, app: row['app_name'] });
    }
    return found;
  }

  /** The ids of deliveries whose last attempt failed, oldest first; of repeats, only the one tried last. */
  failed(): string[] {
    return this.#statements.failed.all().map(({ id }) => String(id));
  }

  /** The app of a noted run. */
  appOfRun(runId: string): string | undefined {
    return this.#noted(runId)?.appName;
  }

  /** The seq of a delivery; undefined if it is not kept. */
  seqOf(id: string): number | undefined {
    const seq = this.#statements.placeOf.get(id)?.['seq'];
    return typeof seq === 'number' ? seq : undefined;
  }

  find(id: string): Delivery | undefined {
    const row = this.#statements.byId.get(id);
    return row && readDelivery(row).delivery;
  }

  whole(id: string): WholeDelivery | undefined {
    const delivery = this.find(id);
    const body = delivery && this.kept(id)?.body;
    return body && wholeDelivery(delivery, body);
  }

  /** The delivery exactly as it came. */
  kept(id: string): KeptDelivery | undefined {
    const row = this.#statements.kept.get(id);
    return row && readKept(row);
  }

  /** See {@link DeliveryStore.unexplained}. */
  unexplained(limit: number): string[] {
    return this.#statements.unexplained.all(limit).map(({ id }) => String(id));
  }

  /** The first deliveries of which nobody has looked up yet which run they name. */
  unsettled(limit: number): UnsettledDelivery[] {
    const found: UnsettledDelivery[] = [];
    let bytes = 0;
    for (const row of this.#statements.unsettled.iterate(limit)) {
      const one = v.parse(unsettledSchema, row);
      found.push(one);
      bytes += one.body.byteLength;
      if (bytes > bytesAtOnce) break;
    }
    return found;
  }

  /** The first deliveries that changed after a revision, ordered by their last change. */
  changedAfter(revision: number, limit: number): ChangedDelivery[] {
    const recent = this.#recent.since(revision, this.revision, this.#version, limit);
    if (recent !== undefined) return recent;
    return this.#statements.changedAfter.all(revision, limit).map((row) => {
      const { delivery, ...changed } = readDelivery(row);
      const { repeatOf, forward } = delivery;
      const wasTaken =
        forward === undefined &&
        repeatOf !== undefined &&
        this.repeats.acceptedStatus(repeatOf) !== undefined;
      return { ...changed, delivery: wasTaken ? { ...delivery, wasTaken } : delivery };
    });
  }

  /** A delivery was deleted to make room. */
  forget(id: string): void {
    this.#recent.remove(id);
  }

  clear(): void {
    this.#statements.clear.run();
    this.#statements.noteCleared.run(this.#revision);
    this.#recent.clear();
  }

  /** The revision at which all deliveries were cleared last; undefined if they never were. */
  get clearedAt(): number | undefined {
    return this.#statements.clearedAt.get()?.['value'] as number | undefined;
  }

  /** What stays when all deliveries are cleared. */
  get rest(): StoreRest {
    const rowsOf = (table: string) => this.#database.prepare(`SELECT * FROM ${table} ORDER BY number`).all();
    const rows = Object.fromEntries(outliving.map((table) => [table, rowsOf(table)])) as StoreRest['rows'];
    return { revision: this.revision, rows };
  }

  /** Continues, in a new file, with what stays of one that was removed. */
  takeOver({ revision, rows }: StoreRest): void {
    this.#revision = Math.max(this.#revision, revision + 1);
    this.#statements.noteCleared.run(revision);
    for (const table of outliving) {
      const names = Object.keys(rows[table][0] ?? {});
      if (names.length === 0) continue;
      const add = this.#database.prepare(
        `INSERT INTO ${table} (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})`,
      );
      for (const row of rows[table]) add.run(...Object.values(row));
    }
  }

  #change(seq: number, id: string, note: Omit<Note, 'id'>, when: Parameters<typeof noted>[2]): void {
    const { answered, appName, reason, runId } = note;
    const before = this.#recent.get(id) ?? readDelivery(this.#statements.bySeq.get(seq) ?? {});
    const revision = this.#nextRevision();
    this.#statements.change.run({
      ...{ seq, revision },
      answered: answered ?? null,
      app_name: appName ?? null,
      reason: reason ?? null,
      run_id: runId ?? null,
    });
    this.#recent.add({ ...before, revision, delivery: noted(before.delivery, note, when) });
  }

  #noted(runId: string): KeptRun | undefined {
    const row = this.#statements.run.get(runId);
    return row && v.parse(runSchema, row);
  }

  get #version(): unknown {
    return this.#statements.version.get()?.['data_version'];
  }

  #nextRevision(): number {
    this.#revision += 1;
    return this.#revision;
  }
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** What is written of a delivery that has just arrived. */
const columns = [
  ...(['revision', 'arrived_revision', 'id', 'received_at', 'verdict', 'standing', 'answered'] as const),
  ...(['request_id', 'repeat_of', 'reason', 'method', 'path', 'headers', 'bytes', 'is_text'] as const),
  ...(['run_id', 'app_name', 'is_settled', 'forward_to', 'first_path', 'made_of', 'waited_ms'] as const),
];

function prepare(database: DatabaseSync) {
  return {
    // By place: SQLite looks up each name of a parameter by itself.
    add: database.prepare(
      `INSERT INTO deliveries (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`,
    ),
    isKnown: database.prepare(`
      SELECT 1 FROM (SELECT id AS first FROM deliveries UNION ALL
        SELECT repeat_of FROM deliveries UNION ALL SELECT first FROM repeats) WHERE first = ? LIMIT 1`),
    ofFirst: database.prepare('SELECT run_id, app_name FROM deliveries WHERE id = ?'),
    addBody: database.prepare(`INSERT INTO bodies VALUES (?, ${bytesParameter})`),
    addRun: database.prepare('INSERT OR REPLACE INTO runs (run_id, app_name, started_at) VALUES (?, ?, ?)'),
    forgetRuns: database.prepare('DELETE FROM runs WHERE number <= (SELECT max(number) FROM runs) - ?'),
    runsSince: database.prepare('SELECT run_id FROM runs WHERE started_at > ?'),
    newestFirst: database.prepare(
      'SELECT seq, id, received_at, run_id, app_name FROM deliveries WHERE run_id IS NOT NULL ORDER BY seq DESC',
    ),
    change: database.prepare(`
      UPDATE deliveries SET revision = :revision, answered = coalesce(:answered, answered),
        app_name = coalesce(:app_name, app_name), reason = coalesce(:reason, reason), run_id = coalesce(run_id, :run_id)
      WHERE seq = :seq`),
    settle: database.prepare(`
      UPDATE deliveries SET revision = ?1, arrived_revision = ?1, run_id = coalesce(?2, run_id),
        app_name = coalesce((SELECT app_name FROM runs WHERE run_id = ?2), app_name), is_settled = 1 WHERE seq = ?3`),
    run: database.prepare(
      'SELECT run_id AS runId, app_name AS appName, started_at AS startedAt FROM runs WHERE run_id = ?',
    ),
    placeOf: database.prepare(`
      SELECT seq, coalesce(repeat_of, id) AS first, standing, forward_to IS NOT NULL AS isWaiting,
        bytes + answer_bytes AS bytes
      FROM deliveries WHERE id = ?`),
    waiting: database.prepare(`
      SELECT id, coalesce(repeat_of, id) AS first, forward_to AS "to", coalesce(first_path, path) AS path
      FROM deliveries WHERE forward_to IS NOT NULL ORDER BY seq`),
    endWaiting: database.prepare('UPDATE deliveries SET forward_to = NULL WHERE seq = ?'),
    // An edited replay is a different delivery to the app, so its result says nothing about the original; nor does a cancelled one.
    failed: database.prepare(`
      SELECT d.id FROM attempts a JOIN deliveries d ON d.seq = a.seq
      WHERE a.number = (SELECT max(number) FROM attempts WHERE seq = a.seq AND kind NOT IN (${listed(editedKinds)})
          AND error IS NOT '${attemptErrors.cancelled}')
        AND (a.status IS NULL OR a.status NOT BETWEEN 200 AND 299)
        AND NOT EXISTS (SELECT 1 FROM deliveries o JOIN attempts b ON b.seq = o.seq
          WHERE (o.id = coalesce(d.repeat_of, d.id) OR o.repeat_of = coalesce(d.repeat_of, d.id))
            AND o.seq <> d.seq AND b.kind NOT IN (${listed(editedKinds)})
            AND b.error IS NOT '${attemptErrors.cancelled}' AND b.number > a.number)
      ORDER BY d.seq`),
    unexplained: database.prepare(`
      SELECT id FROM deliveries
      WHERE verdict <> 'verified' AND verdict IN ('mismatch', 'malformed') AND reason IS NULL
        AND seq > coalesce((SELECT seq FROM deliveries ORDER BY seq DESC LIMIT 1 OFFSET ?), 0)
      ORDER BY seq DESC`),
    byId: database.prepare(`${selectDeliveries} WHERE d.id = ?`),
    bySeq: database.prepare(`${selectDeliveries} WHERE d.seq = ?`),
    kept: database.prepare(`${selectKept} WHERE d.id = ?`),
    // A file of an earlier version may hold such ones: they are looked into when somebody asks for their reason.
    unsettled: database.prepare(`
      SELECT d.seq, b.body FROM deliveries d JOIN bodies b ON b.seq = d.seq
      WHERE d.is_settled = 0 AND d.verdict NOT IN ('mismatch', 'malformed') ORDER BY d.seq LIMIT ?`),
    changedAfter: database.prepare(`${selectDeliveries} WHERE d.revision > ? ORDER BY d.revision LIMIT ?`),
    clear: database.prepare('DELETE FROM deliveries'),
    noteCleared: database.prepare("INSERT OR REPLACE INTO counters VALUES ('cleared', ?)"),
    clearedAt: database.prepare("SELECT value FROM counters WHERE name = 'cleared'"),
    version: database.prepare('PRAGMA data_version'),
    revision: database.prepare("SELECT value FROM counters WHERE name = 'revision'"),
    setRevision: database.prepare("UPDATE counters SET value = ? WHERE name = 'revision'"),
  };
}
