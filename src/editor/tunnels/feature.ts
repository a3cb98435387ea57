import * as vscode from 'vscode';
import { randomUUID } from 'node:crypto';
import { commandIds } from '../../contract/commands.ts';
import { isTunnelThere, publicUrlOf, reasonOfEnd } from '../../deliveries/listenerProtocol.ts';
import { parseHttpUrl } from '../../service/endpoints.ts';
import { t } from '../../shared/text/l10n.ts';
import { sentences } from '../../shared/text/sentences.ts';
import { plainText } from '../../shared/text/plainText.ts';
import { type Remedy, UserError } from '../../shared/text/userError.ts';
import { type PublicUrlCheck, checkPublicUrl, type UrlSource } from './checkPublicUrl.ts';
import { cancellableProgress, showBriefly } from '../kit/progress.ts';
import { type Provides, type CommandsOf, isGesture } from '../kit/commands.ts';
import { config } from '../kit/config.ts';
import { contextIds, settingIds } from '../kit/ids.ts';
import type { Services } from '../kit/services.ts';
import { logError } from '../kit/log.ts';
import { resumeRelay } from './openRelay.ts';
import { TunnelControl } from './tunnelControl.ts';

/** The tunnels, which make this machine reachable from the service. */
export function registerTunnels(services: Services): Provides<'tunnels'> {
  const { listener, log } = services;
  // The program may have a tunnel that an earlier window has opened.
  const followed = listener.tunnel.onDidChangeState(({ before, now }) => {
    void vscode.commands.executeCommand('setContext', contextIds.tunnelOpen, isTunnelThere(now));
    // Its program's own lines are in the log of the listener program alone.
    if ('reason' in now) log.warn(`The tunnel is ${now.kind}: ${now.reason}`);
    const reason = reasonOfEnd(before, now);
    if (reason !== undefined) tellOfEnd(reason).catch((error: unknown) => logError(log, error));
  });
  let wasListening = false;
  const resumed = listener.onDidChangeState(({ kind }) => {
    const hasBegun = kind === 'listening' && !wasListening;
    wasListening = kind === 'listening';
    // While it stops, its tunnel closes first: to open that again would start another program.
    if (!hasBegun || listener.tunnel.state.kind !== 'closed') return;
    resumeRelay(services).catch((error: unknown) => {
      logError(log, error);
      // It may have been closed meanwhile.
      const { state } = listener.tunnel;
      if (state.kind === 'failed') void tellOfEnd(state.reason);
    });
  });
  return {
    commands: () => Promise.resolve(tunnelCommands(services)),
    dispose: () => {
      followed.dispose();
      resumed.dispose();
    },
  };
}

/** Warns that the tunnel is gone for good, since the service would keep sending to it. */
async function tellOfEnd(reason: string): Promise<void> {
  const again = t('Open Tunnel');
  const told = t('The tunnel has closed: {0}', plainText(reason, 400));
  const action = await vscode.window.showWarningMessage(told, again);
  if (action === again) await vscode.commands.executeCommand(commandIds.openTunnel);
}

/** The commands of tunnels and of the check of the public address. */
function tunnelCommands(parts: Services) {
  const control = new TunnelControl(parts);
  parts.context.subscriptions.push(control);
  return {
    openTunnel: (argument) => control.open(argument),
    closeTunnel: () => control.close(),
    checkPublicUrl: () => check(parts),
  } satisfies Partial<CommandsOf<'tunnels'>>;
}

async function check(parts: Services): Promise<PublicUrlCheck> {
  const { publicUrl } = await parts.listener.start();
  if (publicUrl === undefined) {
    throw new UserError(
      t('There is no public URL to check. Open a tunnel, or set "runhook.listener.publicUrl".'),
      { remedies: [{ kind: 'openTunnel' }, { kind: 'setPublicUrl' }] },
    );
  }
  const source = sourceOf(parts.listener.tunnel);
  const found = await runCheck(parts, publicUrl, source);
  tellFound(found, source, parts);
  return found;
}

function sourceOf({ relay, state }: Services['listener']['tunnel']): UrlSource {
  if (relay !== undefined) return 'relay';
  return publicUrlOf(state) === undefined ? 'settings' : 'tunnel';
}

async function runCheck(
  { listener, secrets, transport }: Services,
  publicUrl: string,
  source: UrlSource,
): Promise<PublicUrlCheck> {
  const { secret } = await (await secrets.store()).ensure();
  await listener.configure();
  const work = (signal: AbortSignal) =>
    checkPublicUrl(parseHttpUrl(publicUrl, publicUrl, [{ kind: 'setPublicUrl' }]), {
      signal,
      transport,
      expect: (nonce) => listener.tunnel.expectProbe(nonce),
      collect: (nonce, isSent) => collectProbe(listener, nonce, isSent),
      source,
      secret,
      nonce: randomUUID(),
      now: () => Date.now(),
      timeoutMs: config.httpTimeoutSeconds() * 1000,
    });
  return cancellableProgress(t('Checking the public URL'), work);
}

/** @throws UserError if the listener was stopped meanwhile: to ask it then would start it again */
async function collectProbe({ state, tunnel }: Services['listener'], nonce: string, isSent: boolean) {
  const stopped = (cause?: unknown): UserError =>
    new UserError(t('The listener was stopped, so the public URL was not checked.'), {
      cause,
      remedies: [{ kind: 'tryAgain' }],
    });
  if (state.kind !== 'listening') throw stopped();
  return tunnel.collectProbe(nonce, isSent).catch((error: unknown) => {
    throw error instanceof UserError ? error : stopped(error);
  });
}

/** What leads to where an address comes from. That of a tunnel is set nowhere. */
const settingsOf: Record<UrlSource, readonly Remedy[]> = {
  relay: [{ kind: 'openSettings', ids: [settingIds.relayUrl] }],
  tunnel: [],
  settings: [{ kind: 'openSettings', ids: [settingIds.listenerPublicUrl] }],
};

/** Says what was found, and logs every hop. */
function tellFound({ ok, hops }: PublicUrlCheck, source: UrlSource, parts: Services): void {
  const { errors, log, prompts } = parts;
  for (const { hop, ok: passed, detail } of hops) log.info(`${passed ? '✓' : '✗'} ${hop}: ${detail}`);
  if (ok) {
    const text = t('The public URL reaches the listener, and nothing is changed on the way.');
    if (isGesture()) prompts.tell(text, [], 'information').catch((error: unknown) => logError(log, error));
    else showBriefly(text);
    return;
  }
  const failed = hops.filter((hop) => !hop.ok).map(({ detail }) => detail);
  const error = new UserError(plainText(sentences(...failed), 1000), {
    remedies: [{ kind: 'tryAgain' }, ...settingsOf[source], { kind: 'showLog' }],
  });
  errors.report(t('Checking the public URL'), error, () => check(parts));
}
