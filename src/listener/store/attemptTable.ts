import type { DatabaseSync } from 'node:sqlite';
import * as v from 'valibot';
import { type Attempt, type FailedAt, mostAttempts } from '../../contract/delivery.ts';
import type { KeptAnswer } from '../../deliveries/keptDelivery.ts';
import { bytesParameter } from './database.ts';

/** An attempt to store. */
interface NewAttempt {
  /** The seq of its delivery. */
  seq: number;
  attempt: Omit<Attempt, 'at'>;
  /** When it ended. Unix milliseconds. */
  at: number;
  answer: KeptAnswer | undefined;
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

/** The attempts to send deliveries, and the responses to them. Write to it inside a transaction. */
export class AttemptTable {
  readonly #statements: ReturnType<typeof prepare>;

  constructor(database: DatabaseSync) {
    this.#statements = prepare(database);
  }

  /**
   * Adds an attempt, and deletes the oldest attempts of the delivery beyond the limit.
   * @returns the change in stored bytes; negative if the delivery takes less than before
   */
  add({ seq, attempt, at, answer }: NewAttempt): number {
    const { kind, to, status = null, durationMs, answer: start = null, error = null } = attempt;
    const before = v.parse(roomSchema, this.#statements.room.get(seq));
    const { add, addAnswer, forget, forgetAnswers, sum } = this.#statements;
    const { lastInsertRowid } = add.run(seq, kind, at, to, status, durationMs, start, error);
    if (answer !== undefined) {
      // No part holds a line feed: HTTP forbids it in a header.
      addAnswer.run(lastInsertRowid, answer.rawHeaders.join('\n'), answer.body, answer.bytes ?? null);
    }
    forget.run(seq);
    forgetAnswers.run(seq);
    return v.parse(roomSchema, sum.get(seq)).bytes - before.bytes;
  }

  /** Adds where the handler failed at the attempt of that time. @param at Unix milliseconds */
  addFailure(seq: number, at: number, failedAt: FailedAt): void {
    this.#statements.addFailure.run(JSON.stringify(failedAt), seq, at);
  }

  /** The response to the attempt of that time; undefined if it is not kept. @param at Unix milliseconds */
  answer(id: string, at: number): KeptAnswer | undefined {
    const row = this.#statements.answer.get(id, at);
    if (row === undefined) return undefined;
    const { bytes, ...answer } = v.parse(answerSchema, row);
    return { ...answer, body: Buffer.from(answer.body), ...(bytes !== null && { bytes }) };
  }
}

/** SQL for the number of the newest attempt of a delivery that is beyond the limit. */
const beyondLimit = `(SELECT number FROM attempts WHERE seq = ?1 ORDER BY number DESC LIMIT 1 OFFSET ${mostAttempts})`;

function prepare(database: DatabaseSync) {
  return {
    add: database.prepare(`
      INSERT INTO attempts (seq, kind, at, address, status, duration_ms, answer, error)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?)`),
    addAnswer: database.prepare(`INSERT INTO answers VALUES (?, ?, ${bytesParameter}, ?)`),
    addFailure: database.prepare('UPDATE attempts SET failed_at = ? WHERE seq = ? AND at = ?'),
    // The forward stays: whether the local app took the delivery is looked up later.
    forget: database.prepare(
      `DELETE FROM attempts WHERE seq = ?1 AND kind <> 'forward' AND number <= ${beyondLimit}`,
    ),
    forgetAnswers: database.prepare(`
      DELETE FROM answers WHERE number IN (SELECT number FROM attempts WHERE seq = ?1) AND number <= ${beyondLimit}`),
    room: database.prepare('SELECT answer_bytes AS bytes FROM deliveries WHERE seq = ?'),
    sum: database.prepare(`
      UPDATE deliveries SET answer_bytes = (SELECT coalesce(sum(length(headers) + length(body)), 0)
        FROM answers WHERE number IN (SELECT number FROM attempts WHERE seq = ?1))
      WHERE seq = ?1 RETURNING answer_bytes AS bytes`),
    answer: database.prepare(`
      SELECT w.headers AS rawHeaders, w.body, w.bytes FROM answers w JOIN attempts a ON a.number = w.number
        JOIN deliveries d ON d.seq = a.seq
      WHERE d.id = ? AND a.at = ? ORDER BY a.number DESC LIMIT 1`),
  };
}
