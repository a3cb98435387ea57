/** Something that reads what others write. */
export interface Target {
  name: string;
  /** Inputs to begin with: good ones, and those close to the edge. */
  seeds: readonly Buffer[];
  /** Words that mean something to the reader. */
  words: readonly string[];
  /** Reads the input. Throws where what came of it breaks a promise: a false accept, an error that is none of its own. */
  read: (input: Buffer) => void | Promise<void>;
  /** Frees what it holds. */
  end?: () => Promise<void>;
}

export function seedsOf(...texts: readonly string[]): Buffer[] {
  return texts.map((text) => Buffer.from(text));
}
