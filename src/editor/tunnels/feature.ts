import * as vscode from 'vscode';
import { isTunnelThere } from '../../model/processes/tunnelState.ts';
import type { Provides } from '../commands.ts';
import { contextIds } from '../ids.ts';
import type { TunnelFeatureParts } from './tunnelCommands.ts';

/** Reaching this machine from the service. */
export function registerTunnels(parts: TunnelFeatureParts): Provides<'tunnels'> {
  const { listener, log } = parts;
  // The program may have a tunnel that an earlier window has opened.
  const followed = listener.tunnel.onDidChangeState(({ before, now }) => {
    void vscode.commands.executeCommand('setContext', contextIds.tunnelOpen, isTunnelThere(now));
    if (before.kind !== 'reopening' || now.kind !== 'failed') return;
    import('./tunnelEnd.ts')
      .then(({ tellOfEnd }) => tellOfEnd(now.reason))
      .catch((error: unknown) => log.error(String(error)));
  });
  return {
    commands: async () => (await import('./tunnelCommands.ts')).tunnelCommands(parts),
    dispose: () => void followed.dispose(),
  };
}
