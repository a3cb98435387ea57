import type { ListenerState } from './listenerState.ts';

/** Where a listener that runs is reached. */
export interface Listening {
  port: number;
  url: string;
  publicUrl?: string;
}

export type ListeningState = ListenerState & { kind: 'listening' };

/** @param problem why deliveries cannot be kept, for the time being */
export function listeningState(
  port: number,
  publicUrl: string | undefined,
  problem: string | undefined,
): ListeningState {
  const known = { ...(publicUrl && { publicUrl }), ...(problem && { problem }) };
  return { kind: 'listening', port, url: `http://127.0.0.1:${port}/`, ...known };
}

/** What the contract tells of it (design: section 4, `runhook.startListener`). */
export function whereItListens({ port, url, publicUrl }: ListeningState): Listening {
  return { port, url, ...(publicUrl !== undefined && { publicUrl }) };
}
