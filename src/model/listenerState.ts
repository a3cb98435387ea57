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
