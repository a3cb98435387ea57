import type * as vscode from 'vscode';
import type { Provides } from '../commands.ts';
import type { Services } from '../kit/services.ts';

/** What starts an app under the debugger. */
interface Debugging extends Pick<Provides<'debug'>, 'commands'> {
  /** The configurations of a type that the editor offers. */
  configurations(
    type: string,
    folder: vscode.WorkspaceFolder | undefined,
  ): Promise<vscode.DebugConfiguration[]>;
}

/** *Debug a Handler…*: from the open file to a breakpoint that a delivery stops at. */
export function registerDebug(services: Services): Debugging {
  return {
    commands: async () => (await import('./debugHandlerCommand.ts')).debugCommands(services),
    configurations: async (type, folder) => {
      const { offeredConfigurations } = await import('./offeredConfigurations.ts');
      const offered = await offeredConfigurations(folder, services.listener.destinations.forward);
      return offered.filter((one) => one.type === type);
    },
  };
}
