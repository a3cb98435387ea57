import { createHash } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';

/** How many are remembered; then the oldest are forgotten. Each was made by somebody's own click or command. */
const mostRemembered = 1000;

/**
 * The request ids of deliveries that were made here, each with Runhook's own id of the run from whose response. By its
 * id one is known however it comes back: repeated, replayed, from a fixture or a copied command. It outlives the
 * deliveries, and holds no byte of them. Write to it inside a transaction.
 */
export class MadeTable {
  readonly #statements: ReturnType<typeof prepare>;
  /** The runs by the hash of the request id. Nearly always empty, so that deliveries of the service cost nothing. */
  #runs: Map<string, string> | undefined;

  constructor(database: DatabaseSync) {
    this.#statements = prepare(database);
  }

  remember(requestId: string, run: string): void {
    this.#statements.add.run(hashOf(requestId), run);
    this.#statements.forget.run(mostRemembered);
    this.#runs = undefined;
  }

  /** The run from whose response the delivery with this id was made here; undefined for any other delivery. */
  runOf(requestId: string): string | undefined {
    this.#runs ??= new Map(
      this.#statements.all.all().map(({ hash, run }) => [keyOf(hash as Uint8Array), String(run)]),
    );
    return this.#runs.size === 0 ? undefined : this.#runs.get(keyOf(hashOf(requestId)));
  }
}

function hashOf(requestId: string): Buffer {
  return createHash('sha256').update(requestId, 'latin1').digest();
}

function keyOf(hash: Uint8Array): string {
  return Buffer.from(hash).toString('latin1');
}

function prepare(database: DatabaseSync) {
  return {
    add: database.prepare('INSERT OR REPLACE INTO made (hash, run) VALUES (?, ?)'),
    forget: database.prepare('DELETE FROM made WHERE number <= (SELECT max(number) FROM made) - ?'),
    all: database.prepare('SELECT hash, run FROM made ORDER BY number'),
  };
}
