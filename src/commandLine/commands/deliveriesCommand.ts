import { homedir } from 'node:os';
import type { Delivery } from '../../model/deliveries/delivery.ts';
import { deliveryLine } from '../../model/deliveries/deliveryLine.ts';
import { failed } from '../failed.ts';
import { keptDeliveries } from '../deliveries/keptDeliveries.ts';
import { printJson, printLine } from '../print.ts';
import { readArguments } from '../options/readArguments.ts';
import { deliveriesFolder, storeFolder, storeOptions } from '../options/storeFolder.ts';

/** `runhook deliveries`: lists what is kept, the newest first. */
export async function deliveriesCommand(args: readonly string[]): Promise<number> {
  const options = { json: { type: 'boolean' }, ...storeOptions } as const;
  const { values } = readArguments(args, options);
  const { env: environment, platform } = process;
  const folder = storeFolder(values.store, { environment, platform, home: homedir() });
  try {
    for (const delivery of keptDeliveries(deliveriesFolder(folder))) {
      if (values.json) printJson(delivery);
      else printLine(datedLine(delivery));
    }
  } catch (error) {
    throw failed('The deliveries cannot be read', error);
  }
  return Promise.resolve(0);
}

/** Local time, as in the line. */
function datedLine(delivery: Delivery): string {
  const date = new Date(delivery.receivedAt);
  const [month, day] = [date.getMonth() + 1, date.getDate()].map((part) => part.toString().padStart(2, '0'));
  const line = deliveryLine({ delivery }, { firstAt: () => undefined }).text;
  return `${date.getFullYear()}-${month}-${day} ${line}`;
}
