import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { WholeDelivery } from '../../contract/delivery.ts';
import { deliveryLine } from '../../deliveries/deliveryLine.ts';
import { newestFirst } from '../../listener/store/deliveryQuery.ts';
import { StoreReader } from '../../listener/store/storeReader.ts';
import { deliveriesFolder, storeFileName } from '../../listener/store/storeFile.ts';
import { failed } from '../failed.ts';
import { printError, printJson, printLine, readSoFar } from '../print.ts';
import { readArguments } from '../options/readArguments.ts';
import { storeFolder, storeOptions } from '../options/sharedOptions.ts';

/**
 * `runhook deliveries`: lists the kept deliveries, newest first. It changes none, so it can read the store of a
 * running program: only that program knows the secrets that tell why a delivery does not verify.
 */
export async function deliveriesCommand(args: readonly string[]): Promise<number> {
  const options = { json: { type: 'boolean' }, ...storeOptions } as const;
  const { values } = readArguments(args, options);
  const store = storeFolder(values.store);
  const folder = deliveriesFolder(store);
  if (!existsSync(join(folder, storeFileName))) {
    printError(`No deliveries are kept in ${store}. To keep some: runhook listen`);
    return 0;
  }
  let reader: StoreReader | undefined;
  try {
    const opened = (reader = new StoreReader(folder, Date.now));
    for (const delivery of newestFirst((work) => opened.read(work))) {
      if (values.json) printJson(delivery);
      else printLine(datedLine(delivery));
      if (!(await readSoFar())) break;
    }
  } catch (error) {
    throw failed('The deliveries cannot be read', error);
  } finally {
    reader?.close();
  }
  return 0;
}

/** A line with the date in front, in local time like the rest of the line. */
function datedLine(delivery: WholeDelivery): string {
  const date = new Date(delivery.receivedAt);
  const [month, day] = [date.getMonth() + 1, date.getDate()].map((part) => part.toString().padStart(2, '0'));
  const line = deliveryLine(delivery, { firstAt: () => undefined }).text;
  return `${date.getFullYear()}-${month}-${day} ${line}`;
}
