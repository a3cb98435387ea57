export const tunnelPrograms = ['cloudflared', 'ngrok'] as const;
export type TunnelProgram = (typeof tunnelPrograms)[number];

/** What makes the listener public: a program, or the codespace that this is. */
export type TunnelProvider = TunnelProgram | 'codespaces';

/** Where the tunnel stands. */
export type TunnelState =
  | { kind: 'closed' }
  | { kind: 'opening'; provider: TunnelProvider }
  | { kind: 'open'; provider: TunnelProvider; publicUrl: string }
  /** The program died and is started again; `attempt` counts from 1. */
  | { kind: 'reopening'; provider: TunnelProvider; attempt: number; reason: string }
  | { kind: 'failed'; provider: TunnelProvider; reason: string };

/** Whether a tunnel is there, though it may not let anybody through at the moment. */
export function isTunnelThere({ kind }: TunnelState): boolean {
  return kind !== 'closed' && kind !== 'failed';
}
