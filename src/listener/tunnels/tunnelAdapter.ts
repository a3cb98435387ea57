import type { TunnelProgram } from '../../model/processes/tunnelState.ts';

/** What one line of a tunnel program's output tells. */
export type TunnelEvent =
  /** The public address; requests may not get through yet. */
  | { kind: 'url'; url: string }
  /** Requests get through. */
  | { kind: 'connected' }
  /** What goes wrong, in words. `final`: starting the program again would not help. */
  | { kind: 'problem'; reason: string; final: boolean };

/** What is known of one tunnel program: how it is called, and what its output means. */
export interface TunnelAdapter {
  readonly program: TunnelProgram;
  /** @param port of the listener */
  arguments(port: number): string[];
  /** @param line of standard output or standard error */
  read(line: string): TunnelEvent[];
}
