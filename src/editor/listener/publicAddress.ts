import { config } from '../config.ts';

/** Under which address strangers reach the listener, if they do: an open tunnel's, else that of the settings. */
export class PublicAddress {
  /** That of an open tunnel. */
  tunnelUrl: string | undefined;
  /** A tunnel opens or is open: its first requests may come before its address is known here. */
  isTunnelled = false;

  get url(): string | undefined {
    return this.tunnelUrl ?? (config.publicUrl() || undefined);
  }

  get isPublic(): boolean {
    return this.isTunnelled || this.url !== undefined;
  }
}
