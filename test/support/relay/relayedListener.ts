import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Delivery } from '../../../src/contract/delivery.ts';
import type { ListenerSettings, TunnelState } from '../../../src/deliveries/listenerProtocol.ts';
import type { RelayLosses } from '../../../src/deliveries/relayProtocol.ts';
import { initialSettings } from '../../../src/listener/intake/initialSettings.ts';
import { type OwnListener, startOwnListener } from '../../../src/listener/program/ownListener.ts';
import { RelayTunnel } from '../../../src/listener/tunnels/relayTunnel.ts';
import { createUndiciTransport } from '../../../src/service/client/undiciTransport.ts';

export const relaySecret = 'the secret of the tests of the relay';

/** A listener in this process that reads from a relay, with what it was told. */
export interface RelayedListener {
  folder: string;
  own: OwnListener;
  tunnel: RelayTunnel;
  arrived: Delivery[];
  states: TunnelState[];
  losses: RelayLosses[];
  end: () => Promise<void>;
}

export async function startRelayedListener(
  access: { url: string; key: string; joinToken?: string },
  {
    folder = mkdtempSync(join(tmpdir(), 'runhook-relayed-')),
    settings,
  }: { folder?: string; settings?: Partial<ListenerSettings> } = {},
): Promise<RelayedListener> {
  const arrived: Delivery[] = [];
  const states: TunnelState[] = [];
  const losses: RelayLosses[] = [];
  const own = await startOwnListener({
    ...{ folder, port: 0 },
    settings: {
      ...initialSettings,
      secrets: [{ secret: relaySecret, owner: { kind: 'default' } }],
      keep: 20_000,
      ...settings,
    },
    onNews: (news) => void arrived.push(...news.arrived),
  });
  const tunnel = new RelayTunnel({
    take: own.takeRelayed,
    onState: (state) => void states.push(state),
    onLosses: (lost) => void losses.push(lost),
    say: () => undefined,
  });
  const network = { proxySupport: 'off', strictSsl: true, systemCertificates: false } as const;
  tunnel.open(access, createUndiciTransport(network), true).catch(() => undefined);
  return {
    ...{ folder, own, tunnel, arrived, states, losses },
    end: async () => {
      await tunnel.close();
      await own.end();
    },
  };
}

export function removeFolder(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
}
