import { type Bundle, useBundle } from '../../../src/shared/text/l10n.ts';

/** Runs `make` with translated messages. Before and after, messages are in English. */
export function withMessages<T>(bundle: Bundle, make: () => T): T {
  useBundle(bundle);
  try {
    return make();
  } finally {
    useBundle({});
  }
}
