/** Loads on the first call and caches the result. */
interface LoadedOnce<T> {
  (): Promise<T>;
  /** Makes the next call load again. @returns the dropped load, complete or in flight */
  forget(): Promise<T> | undefined;
}

/** Loads once, on the first call. After a failed load, the next call tries again. */
export function loadOnce<T>(load: () => Promise<T>): LoadedOnce<T> {
  let loading: Promise<T> | undefined;
  const ask = (): Promise<T> => {
    const asked = (loading ??= load().catch((error: unknown) => {
      if (loading === asked) loading = undefined;
      throw error;
    }));
    return asked;
  };
  const forget = (): Promise<T> | undefined => {
    const dropped = loading;
    loading = undefined;
    return dropped;
  };
  return Object.assign(ask, { forget });
}

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
