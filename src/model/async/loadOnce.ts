/** Gives what it loads when first asked. */
export interface LoadedOnce<T> {
  (): Promise<T>;
  /** Loads anew the next time. @returns what was loaded, or is being loaded */
  forget(): Promise<T> | undefined;
}

/** Loads when first asked, and once. A load that failed is tried again by the next call. */
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
    const before = loading;
    loading = undefined;
    return before;
  };
  return Object.assign(ask, { forget });
}
