import type { TunnelProvider } from './tunnelAdapter.ts';

/** Where the tunnel stands. */
export type TunnelState =
  | { kind: 'closed' }
  | { kind: 'opening'; provider: TunnelProvider }
  | { kind: 'open'; provider: TunnelProvider; publicUrl: string }
  /** The program died and is started again; `attempt` counts from 1. */
  | { kind: 'reopening'; provider: TunnelProvider; attempt: number; reason: string }
  | { kind: 'failed'; provider: TunnelProvider; reason: string };

/** Something that makes the listener's port public until it is closed, and tells each state it is in. */
export interface OpenableTunnel {
  /** Resolves with the public address. */
  open(): Promise<string>;
  /** Resolves when strangers no longer get through. */
  close(): Promise<void>;
}
