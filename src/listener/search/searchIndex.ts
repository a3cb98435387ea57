import type { DatabaseSync } from 'node:sqlite';
import type { Standing } from '../../webhooks/deliveries/keptDelivery.ts';
import { BlockMarks, partCount, perBlock, placeOf, positionsOf, slotBytes } from './blockMarks.ts';

/** All standings. Deliveries of one standing are deleted oldest first, so its blocks become empty in order. */
export const standings: readonly Standing[] = ['verified', 'accepted', 'refused'];
/** The longest body that is indexed, in bytes; longer ones are read with each search. */
const longestBody = 64 * 1024;
/** How much text is indexed in one go, in bytes; responses have to wait meanwhile. */
const bytesAtOnce = 64 * 1024;
/** The fixed cost of reading a delivery in addition to its text, in the same unit. */
const costOfReading = 512;

/** A limit that includes every delivery. */
const all = Number.MAX_SAFE_INTEGER;

/** A block that is being built. */
interface Draft {
  standing: Standing;
  /** The seq of the last delivery in the previous block. */
  after: number;
  seqs: readonly number[];
  marked: number;
  marks: BlockMarks;
}

/**
 * Finds the deliveries that may contain a text without reading them. A block covers 1000 consecutive deliveries of
 * one standing, with one bit per delivery for each slot of trigrams. A delivery in no block yet is a candidate.
 */
export class SearchIndex {
  readonly #statements: ReturnType<typeof prepare>;
  #draft: Draft | undefined;

  constructor(database: DatabaseSync) {
    this.#statements = prepare(database);
  }

  /** The seqs of the deliveries of a standing that may contain a text with these slots, newest first, in batches. */
  *candidates(standing: Standing, slots: readonly number[]): Generator<number[]> {
    const unmarked = this.#seqsAfter(standing, this.#lastOf(standing), all, all).reverse();
    for (let at = 0; at < unmarked.length; at += perBlock) yield unmarked.slice(at, at + perBlock);
    for (const row of this.#statements.blocks.all(standing)) {
      const block = Number(row['block']);
      const bits = this.#intersection(block, slots);
      if (bits !== undefined) yield this.#seqsAt(block, bits).reverse();
    }
  }

  /** Does a part of the next block. After `ready`, call {@link keep}. */
  gather(): 'nothing' | 'more' | 'ready' {
    this.#draft ??= this.#begin();
    const draft = this.#draft;
    if (draft === undefined) return this.#statements.emptied.get() === undefined ? 'nothing' : 'ready';
    for (let bytes = 0; bytes < bytesAtOnce && draft.marked < draft.seqs.length; draft.marked += 1) {
      bytes += costOfReading + this.#mark(draft, draft.marked);
    }
    return draft.marked < draft.seqs.length ? 'more' : 'ready';
  }

  /** Writes the finished block, and deletes blocks whose deliveries are gone. Call it inside a transaction. */
  keep(): void {
    const draft = this.#draft;
    this.#draft = undefined;
    // Another program may have written this block meanwhile.
    if (draft !== undefined && this.#lastOf(draft.standing) === draft.after) {
      const { standing, seqs, marks } = draft;
      const bytes = new Uint8Array(Float64Array.from(seqs).buffer);
      const block = Number(this.#statements.addBlock.run(standing, seqs.at(-1) ?? 0, bytes).lastInsertRowid);
      for (let part = 0; part < partCount; part += 1) {
        this.#statements.addMarks.run(block * partCount + part, marks.part(part));
      }
    }
    this.#statements.dropEmptied.run();
  }

  /** Call it inside a transaction. */
  clear(): void {
    this.#draft = undefined;
    this.#statements.clearMarks.run();
    this.#statements.clearBlocks.run();
  }

  #begin(): Draft | undefined {
    for (const standing of standings) {
      const after = this.#lastOf(standing);
      const seqs = this.#seqsAfter(standing, after, this.#firstUnsettled(), perBlock);
      if (seqs.length === perBlock) return { standing, after, seqs, marked: 0, marks: new BlockMarks() };
    }
    return undefined;
  }

  /** @returns the length of the text that was read */
  #mark({ seqs, marks }: Draft, position: number): number {
    const row = this.#statements.text.get(seqs[position] ?? 0);
    // The delivery may have been deleted meanwhile.
    if (row === undefined) return 0;
    const { head, body } = row;
    const bytes =
      body instanceof Uint8Array ? Buffer.from(body.buffer, body.byteOffset, body.byteLength) : '';
    const text = `${String(head)}\n${bytes.toString()}`;
    if (row['is_long'] === 1) marks.markAll(position);
    else marks.mark(position, text);
    return text.length;
  }

  /** The deliveries of a block that have all the slots, one bit each; undefined if none has. */
  #intersection(block: number, slots: readonly number[]): Uint8Array | undefined {
    const common = new Uint8Array(slotBytes).fill(255);
    for (const slot of slots) {
      const { part, offset } = placeOf(slot);
      const bits = this.#statements.marks.get(offset + 1, slotBytes, block * partCount + part)?.['bits'];
      if (!(bits instanceof Uint8Array)) continue;
      let any = 0;
      for (let at = 0; at < slotBytes; at += 1) {
        const both = (common[at] ?? 0) & (bits[at] ?? 0);
        common[at] = both;
        any |= both;
      }
      if (any === 0) return undefined;
    }
    return common;
  }

  #seqsAt(block: number, bits: Uint8Array): number[] {
    const bytes = this.#statements.seqs.get(block)?.['seqs'];
    if (!(bytes instanceof Uint8Array) || bytes.length !== perBlock * 8) return [];
    const seqs = new Float64Array(bytes.slice().buffer);
    return Array.from(positionsOf(bits), (position) => seqs[position] ?? 0);
  }

  #seqsAfter(standing: Standing, seq: number, before: number, limit: number): number[] {
    return JSON.parse(
      String(this.#statements.seqsAfter.get(standing, seq, before, limit)?.['seqs']),
    ) as number[];
  }

  /** The first unsettled delivery. Its run is not known yet, so blocks end before it. */
  #firstUnsettled(): number {
    return Number(this.#statements.unsettled.get()?.['seq'] ?? all);
  }

  #lastOf(standing: Standing): number {
    return Number(this.#statements.last.get(standing)?.['last']);
  }
}

function prepare(database: DatabaseSync) {
  const isEmptied = `last < (SELECT coalesce(min(seq), ${all}) FROM deliveries d WHERE d.standing = search_blocks.standing)`;
  return {
    blocks: database.prepare('SELECT block FROM search_blocks WHERE standing = ? ORDER BY last DESC'),
    marks: database.prepare('SELECT substr(marks, ?, ?) AS bits FROM search_marks WHERE place = ?'),
    seqs: database.prepare('SELECT seqs FROM search_blocks WHERE block = ?'),
    last: database.prepare('SELECT coalesce(max(last), 0) AS last FROM search_blocks WHERE standing = ?'),
    seqsAfter: database.prepare(`
      SELECT json_group_array(seq) AS seqs FROM
        (SELECT seq FROM deliveries WHERE standing = ? AND seq > ? AND seq < ? ORDER BY seq LIMIT ?)`),
    unsettled: database.prepare('SELECT min(seq) AS seq FROM deliveries WHERE is_settled = 0'),
    // The app may change later, so it is searched separately.
    text: database.prepare(`
      SELECT concat_ws(char(10), path, headers, run_id) AS head, is_text AND bytes > ${longestBody} AS is_long,
        iif(is_text AND bytes <= ${longestBody}, body, NULL) AS body
      FROM deliveries d JOIN bodies b ON b.seq = d.seq WHERE d.seq = ?`),
    addBlock: database.prepare('INSERT INTO search_blocks (standing, last, seqs) VALUES (?, ?, ?)'),
    addMarks: database.prepare('INSERT OR REPLACE INTO search_marks VALUES (?, ?)'),
    emptied: database.prepare(`SELECT 1 FROM search_blocks WHERE ${isEmptied} LIMIT 1`),
    dropEmptied: database.prepare(`DELETE FROM search_blocks WHERE ${isEmptied}`),
    clearMarks: database.prepare('DELETE FROM search_marks'),
    clearBlocks: database.prepare('DELETE FROM search_blocks'),
  };
}
