import { existsSync } from 'node:fs';
import type { Delivery } from '../../model/deliveries/delivery.ts';
import { StoreFile } from '../../listener/store/storeFile.ts';
import { toDelivery } from '../../webhooks/deliveries/keptDelivery.ts';
import { printError } from '../print.ts';

/** How many are looked up at once; their bodies may be large, and are read one by one. */
const atOnce = 100;

/**
 * What is kept in a folder, the newest first. No delivery changes by it, so that it can look into the store of a program
 * that runs: only that one knows the secrets that say why a delivery does not verify.
 * @param folder that of the SQLite file
 * @throws Error where it cannot be read
 */
export function* keptDeliveries(folder: string): Generator<Delivery> {
  if (!existsSync(folder)) return;
  const onSetAside = (path: string): void =>
    printError(`The file of the deliveries was broken, and is kept as ${path}.`);
  const file = new StoreFile({ folder, now: Date.now, onSetAside });
  try {
    let before: number | undefined;
    for (;;) {
      const last = before;
      const seqs = file.read(({ query }) => query.seqs({}, atOnce, last));
      for (const seq of seqs) {
        const row = file.read(({ query }) => query.row(seq));
        // It may have gone meanwhile.
        if (row !== undefined) yield toDelivery(row.kept, row.known);
      }
      before = seqs.at(-1);
      if (before === undefined) return;
    }
  } finally {
    file.close();
  }
}
