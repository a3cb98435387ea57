import type { TunnelProgram } from '../../deliveries/listenerProtocol.ts';

/** An event read from one line of a tunnel program's output. */
export type TunnelEvent =
  /** The public address; requests may not get through yet. */
  | { kind: 'url'; url: string }
  /** Requests get through. */
  | { kind: 'connected' }
  /** What went wrong, as text. `final`: restarting the program would not help. */
  | { kind: 'problem'; reason: string; final: boolean };

/** How to run one tunnel program, and how to read its output. */
export interface TunnelAdapter {
  readonly program: TunnelProgram;
  /**
   * @param port the listener's port
   * @param config a configuration file that sets nothing, in place of the user's
   */
  arguments(port: number, config: string): string[];
  /** @param line a line of standard output or standard error */
  read(line: string): TunnelEvent[];
  /** Whether a line tells of normal operation, so that it does not say why the program ends. */
  isRoutine(line: string): boolean;
}
