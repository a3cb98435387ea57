/** Something that Runhook stores on this machine, with its owner's way to remove it. */
export interface Erasable {
  /** What it is, in the user's language: told where it could not be removed. */
  what: string;
  /** Removes it from the disk, the secret store and the memory of this window. */
  erase: () => Promise<void>;
}
