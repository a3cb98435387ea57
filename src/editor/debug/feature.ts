import type { Provides } from '../commands.ts';
import type { DebugFeature } from './debugHandlerCommand.ts';

/** *Debug a Handler…*: from the open file to a breakpoint that a delivery stops at. */
export function registerDebug(feature: DebugFeature): Pick<Provides<'debug'>, 'commands'> {
  return {
    commands: async () => (await import('./debugHandlerCommand.ts')).debugCommands(feature),
  };
}
