/** Holds what is costly to read, so that it is read once, and again only after it has changed. */
export class ReadOnce {
  readonly #values = new Map<string, unknown>();

  /** The value under this name: read now, or as it was read since the last `forget`. */
  of<T>(name: string, read: () => T): T {
    if (!this.#values.has(name)) this.#values.set(name, read());
    return this.#values.get(name) as T;
  }

  /** Has everything read again. */
  forget(): void {
    this.#values.clear();
  }
}
