import * as vscode from 'vscode';
import type { Transport } from '../../client/transport.ts';
import { isTunnelThere } from '../../model/processes/tunnelState.ts';
import type { Commands } from '../commands.ts';
import { commandIds, contextIds } from '../ids.ts';
import type { Listener } from '../listener/listener.ts';
import type { Log } from '../log.ts';
import type { Prompts } from '../prompts/prompts.ts';

export interface TunnelFeatureParts {
  context: vscode.ExtensionContext;
  commands: Commands;
  listener: Listener;
  /** The secret that the probe is signed with; a new one where there is none yet. */
  secret: () => Promise<string>;
  transport: Transport;
  prompts: Prompts;
  log: Log;
}

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
