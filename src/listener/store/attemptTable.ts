import type { DatabaseSync } from 'node:sqlite';
import * as v from 'valibot';
import { type Attempt, mostAttempts } from '../../model/deliveries/delivery.ts';
import type { KeptAnswer } from '../../webhooks/deliveries/keptDelivery.ts';

/** An attempt that is to be kept. */
interface NewAttempt {
  /** The number of its delivery. */
  seq: number;
  attempt: Omit<Attempt, 'at'>;
  /** When it had ended. Unix milliseconds. */
  at: number;
  answer: KeptAnswer | undefined;
  /** The count of changes with which it is written. */
  revision: number;
}

const roomSchema = v.object({ bytes: v.number() });

const answerSchema = v.object({
  rawHeaders: v.pipe(
    v.string(),
    v.transform((text) => (text === '' ? [] : text.split('\n'))),
  ),
  body: v.instance(Uint8Array),
  bytes: v.nullable(v.number()),
});

/** The attempts to hand deliveries over, and what came back for them. It is written inside of a transaction. */
export class AttemptTable {
  readonly #statements: ReturnType<typeof prepare>;

  constructor(database: DatabaseSync) {
    this.#statements = prepare(database);
  }

  /**
   * What is more than may be kept of that delivery goes.
   * @returns by how many bytes the room that it takes has grown; less than 0 where it takes less
   */
  add({ seq, attempt, at, answer, revision }: NewAttempt): number {
    const { kind, to, status = null, durationMs, answer: start = null, error = null } = attempt;
    const before = v.parse(roomSchema, this.#statements.room.get(seq));
    const { add, addAnswer, forget, forgetAnswers, judge } = this.#statements;
    const { lastInsertRowid } = add.run(seq, kind, at, to, status, durationMs, start, error);
    if (answer !== undefined) {
      // No part holds a line feed: HTTP forbids it in a header.
      addAnswer.run(lastInsertRowid, answer.rawHeaders.join('\n'), answer.body, answer.bytes ?? null);
    }
    forget.run(seq);
    forgetAnswers.run(seq);
    return v.parse(roomSchema, judge.get(revision, seq)).bytes - before.bytes;
  }

  /** What came back for the attempt of that time; undefined where it is not kept. @param at Unix milliseconds */
  answer(id: string, at: number): KeptAnswer | undefined {
    const row = this.#statements.answer.get(id, at);
    if (row === undefined) return undefined;
    const { bytes, ...answer } = v.parse(answerSchema, row);
    return { ...answer, body: Buffer.from(answer.body), ...(bytes !== null && { bytes }) };
  }
}

/** The numbers that come before those of the last attempts of a delivery. */
const beforeTheLast = `(SELECT number FROM attempts WHERE seq = ?1 ORDER BY number DESC LIMIT 1 OFFSET ${mostAttempts})`;

function prepare(database: DatabaseSync) {
  return {
    add: database.prepare(`
      INSERT INTO attempts (seq, kind, at, address, status, duration_ms, answer, error)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?)`),
    addAnswer: database.prepare('INSERT INTO answers VALUES (?, ?, ?, ?)'),
    // Whether the local app has taken it as it arrived is looked up later: that one stays.
    forget: database.prepare(
      `DELETE FROM attempts WHERE seq = ?1 AND kind <> 'forward' AND number <= ${beforeTheLast}`,
    ),
    forgetAnswers: database.prepare(`
      DELETE FROM answers WHERE number IN (SELECT number FROM attempts WHERE seq = ?1) AND number <= ${beforeTheLast}`),
    room: database.prepare('SELECT answer_bytes AS bytes FROM deliveries WHERE seq = ?'),
    judge: database.prepare(`
      UPDATE deliveries SET judged_revision = ?1, answer_bytes = (SELECT coalesce(sum(length(headers) + length(body)), 0)
        FROM answers WHERE number IN (SELECT number FROM attempts WHERE seq = ?2))
      WHERE seq = ?2 RETURNING answer_bytes AS bytes`),
    answer: database.prepare(`
      SELECT w.headers AS rawHeaders, w.body, w.bytes FROM answers w JOIN attempts a ON a.number = w.number
        JOIN deliveries d ON d.seq = a.seq
      WHERE d.id = ? AND a.at = ? ORDER BY a.number DESC LIMIT 1`),
  };
}
