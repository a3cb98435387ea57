import * as v from 'valibot';
import type { Commands } from './commands.ts';
import { commandIds } from './ids.ts';
import type { Log } from './log.ts';

/** Registers the command that readable errors point at. */
export function registerShowLog(commands: Commands, log: Log): void {
  commands.register(commandIds.showLog, v.object({}), () => log.show());
}
