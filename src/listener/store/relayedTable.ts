import type { DatabaseSync } from 'node:sqlite';
import type { RelayPlace } from '../../deliveries/keptDelivery.ts';

/** How many are remembered: far more than a relay has on its way to a reader, and might send once more. */
const mostRemembered = 20_000;

/**
 * Which deliveries of relays were stored: a relay sends again what it does not know to be on the disk. It outlives the
 * deliveries. Write to it inside a transaction.
 */
export class RelayedTable {
  readonly #statements: ReturnType<typeof prepare>;

  constructor(database: DatabaseSync) {
    this.#statements = prepare(database);
  }

  has({ channel, seq, at }: RelayPlace): boolean {
    return this.#statements.find.get(channel, seq, at) !== undefined;
  }

  // guard S146: A delivery of a relay is stored in one transaction with its place there, and so it is stored once.
  remember({ channel, seq, at }: RelayPlace): void {
    this.#statements.add.run(channel, seq, at);
    this.#statements.forget.run(mostRemembered);
  }
}

function prepare(database: DatabaseSync) {
  return {
    find: database.prepare('SELECT 1 FROM relayed WHERE channel = ? AND seq = ? AND at = ?'),
    add: database.prepare('INSERT INTO relayed (channel, seq, at) VALUES (?, ?, ?)'),
    forget: database.prepare('DELETE FROM relayed WHERE number <= (SELECT max(number) FROM relayed) - ?'),
  };
}
