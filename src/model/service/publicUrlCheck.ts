/** The hops of a webhook on its way to the listener, in order. */
export type HopName =
  | 'address'
  | 'connection'
  | 'listener'
  | 'path'
  | 'requestId'
  | 'body'
  | 'signature'
  | 'clock';

/** The result at one hop. */
export interface Hop {
  hop: HopName;
  ok: boolean;
  /** A sentence for the user. */
  detail: string;
}

/** What the command `runhook.checkPublicUrl` returns. Hops behind one that lets nothing through are left out. */
export interface PublicUrlCheck {
  ok: boolean;
  hops: Hop[];
}
