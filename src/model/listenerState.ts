/** Where the listener stands. */
export type ListenerState =
  | { kind: 'stopped' }
  | { kind: 'starting' }
  | { kind: 'listening'; port: number; url: string; publicUrl?: string }
  | { kind: 'failed'; reason: string };
