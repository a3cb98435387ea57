/** A reader of untrusted input. */
export interface Target {
  name: string;
  /** Inputs to mutate: valid ones and edge cases. */
  seeds: readonly Buffer[];
  /** Texts with a meaning to the reader, which mutations insert. */
  tokens: readonly string[];
  /** Reads an input. Throws if the result is wrong, such as a false accept or an unexpected error. */
  check: (input: Buffer) => void | Promise<void>;
  /** Frees its resources. */
  dispose?: () => Promise<void>;
}

export function seedsOf(...texts: readonly string[]): Buffer[] {
  return texts.map((text) => Buffer.from(text));
}
