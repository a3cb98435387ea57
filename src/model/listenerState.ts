import { isLoopback } from './loopback.ts';

/** Where the listener stands. */
export type ListenerState =
  | { kind: 'stopped' }
  | { kind: 'starting' }
  | {
      kind: 'listening';
      port: number;
      url: string;
      publicUrl?: string;
      /** Why deliveries cannot be kept, and so get no answer, for the time being. */
      problem?: string;
    }
  | { kind: 'failed'; reason: string };

/** Where a service on that host reaches a listener; undefined where it does not. */
export function endpointFor(
  hostname: string,
  listening: { url: string; publicUrl?: string },
): string | undefined {
  return isLoopback(hostname) ? listening.url : listening.publicUrl;
}
