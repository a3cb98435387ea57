/** Loads on the first call and caches the result. */
export interface LoadedOnce<T> {
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
