import * as vscode from 'vscode';
import type { Provides } from '../kit/commands.ts';
import { onConfigChange } from '../kit/config.ts';
import { contextIds, deliveriesLanguageId, settingIds } from '../kit/ids.ts';
import type { Services } from '../kit/services.ts';
import { DeliveriesOutput } from './output/deliveriesOutput.ts';
import { DeliveryLinks } from './output/deliveryLinks.ts';
import { logError } from '../kit/log.ts';
import { listenerFolder } from './hasListened.ts';
import { ProgramWatch } from './program/programWatch.ts';
import { TerminalSecret } from './secrets/terminalSecret.ts';
import { ListenerWatch } from './status/listenerWatch.ts';
import { ListenerStatusItem } from './status/statusItem.ts';

export { DeliveryLines } from './output/deliveryLines.ts';
export { askForwardAddress, askForwardedApps, checkedAddress, forwardTo } from './routes/forwarding.ts';
export { renameRoute } from './routes/writtenRoutes.ts';
export type { Listener } from './listener.ts';
export type { WebhookSecrets } from './secrets/webhookSecrets.ts';
export type { Destinations } from './destinations.ts';
export { type Replay, testRunId } from './deliverySender.ts';

/**
 * The listener in the editor: commands, output, status item.
 * @param gitProgram finds the path of git; undefined if there is none or it may not be run
 */
export function registerListener(
  services: Services,
  gitProgram: () => Promise<string | undefined>,
): Provides<'listener'> {
  const { listener, secrets, projects, prompts, context, log } = services;
  const links = new DeliveryLinks();
  const output = new DeliveriesOutput(listener, links);
  const notConfigured = (error: unknown) => log.error(`Configuring the listener failed: ${String(error)}`);
  const configure = () => void listener.configure().catch(notConfigured);
  const setRunning = (): void => {
    const running = listener.state.kind === 'listening';
    void vscode.commands.executeCommand('setContext', contextIds.listenerRunning, running);
  };
  const terminals = new TerminalSecret(context.environmentVariableCollection, secrets);
  const follow = (): void => void terminals.follow().catch((error: unknown) => logError(log, error));
  let watch: ListenerWatch | undefined;
  const watchWhileListening = (): void => {
    if (listener.state.kind === 'listening') {
      watch ??= new ListenerWatch(listener, (line) => output.say(line), log);
    } else {
      watch?.dispose();
      watch = undefined;
    }
  };
  // Another window may start the listener, and start it again after a stop.
  const join = (): void => {
    listener.join().catch((error: unknown) => log.debug(`There is no listener to join: ${String(error)}`));
  };
  const programs = new ProgramWatch(listenerFolder(context), join, (error) => logError(log, error));
  listener.resume().catch((error: unknown) => log.warn(`Listening again failed: ${String(error)}`));
  const owned = vscode.Disposable.from(
    vscode.window.onDidChangeWindowState(({ focused }) => focused && join()),
    listener.onDidAttach(() => programs.start()),
    programs,
    output,
    new ListenerStatusItem(listener, terminals, prompts),
    vscode.languages.registerDocumentLinkProvider({ language: deliveriesLanguageId }, links),
    listener.onDidStartByGesture(() => output.show()),
    listener.onDidChangeState(setRunning),
    listener.onDidChangeState(watchWhileListening),
    secrets.onDidChange(configure),
    secrets.onDidChange(follow),
    // The listener names the owner of each secret, and holds the secrets of the current projects.
    projects.onDidChange(configure),
    onConfigChange(listenerSettings, configure),
    onConfigChange([settingIds.deliveriesKeep], () => void listener.configureKeep().catch(notConfigured)),
    onConfigChange([settingIds.listenerPublicUrl], () => listener.refreshPublicUrl()),
    listener.destinations.onDidChange(configure),
  );
  return {
    commands: async () => {
      const { listenerCommands } = await import('./listenerCommands.ts');
      return listenerCommands(services, terminals, output, gitProgram);
    },
    dispose: () => void owned.dispose(),
  };
}

const listenerSettings = [
  settingIds.listenerPublicUrl,
  settingIds.listenerTimestampToleranceSeconds,
  settingIds.listenerAcceptUnverified,
  settingIds.listenerMaxBodyBytes,
  settingIds.listenerForwardMode,
] as const;
