import * as vscode from 'vscode';
import { isTunnelThere } from '../../model/processes/tunnelState.ts';
import { commandIds, contextIds } from '../ids.ts';
import type { TunnelFeatureParts } from './tunnelCommands.ts';

const commandSet = [commandIds.openTunnel, commandIds.closeTunnel, commandIds.checkPublicUrl];

/** Reaching this machine from the service: activation loads none of it. */
export function registerTunnels(parts: TunnelFeatureParts): void {
  const { commands, context, listener, log } = parts;
  commands.registerLazily(commandSet, async () => {
    const { registerTunnelCommands } = await import('./tunnelCommands.ts');
    return () => context.subscriptions.push(registerTunnelCommands(parts));
  });
  // The program may have a tunnel that an earlier window has opened.
  const followed = listener.tunnel.onDidChangeState(({ before, now }) => {
    void vscode.commands.executeCommand('setContext', contextIds.tunnelOpen, isTunnelThere(now));
    if (before.kind !== 'reopening' || now.kind !== 'failed') return;
    import('./tunnelEnd.ts')
      .then(({ tellOfEnd }) => tellOfEnd(now.reason))
      .catch((error: unknown) => log.error(String(error)));
  });
  context.subscriptions.push(followed);
}
