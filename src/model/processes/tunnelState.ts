export const tunnelPrograms = ['cloudflared', 'ngrok'] as const;
export type TunnelProgram = (typeof tunnelPrograms)[number];

/** What makes the listener public: a program, or the codespace that Runhook runs in. */
export type TunnelProvider = TunnelProgram | 'codespaces';

/** The state of the tunnel. */
export type TunnelState =
  | { kind: 'closed' }
  | { kind: 'opening'; provider: TunnelProvider }
  | { kind: 'open'; provider: TunnelProvider; publicUrl: string }
  /** The program died and is being restarted; `attempt` counts from 1. */
  | { kind: 'reopening'; provider: TunnelProvider; attempt: number; reason: string }
  | { kind: 'failed'; provider: TunnelProvider; reason: string };

/** Whether there is a tunnel, even if it lets nobody through at the moment. */
export function isTunnelThere({ kind }: TunnelState): boolean {
  return kind !== 'closed' && kind !== 'failed';
}
