/** The stations of a webhook on its way to the listener, in their order. */
export type HopName =
  | 'address'
  | 'connection'
  | 'listener'
  | 'path'
  | 'requestId'
  | 'body'
  | 'signature'
  | 'clock';

/** What was found at one station. */
export interface Hop {
  hop: HopName;
  ok: boolean;
  /** A sentence for the user. */
  detail: string;
}

/** What the command `runhook.checkPublicUrl` returns. Stations beyond one that nothing passes are left out. */
export interface PublicUrlCheck {
  ok: boolean;
  hops: Hop[];
}
