import { type Bundle, useBundle } from '../../src/model/text/l10n.ts';

/** What `make` gives while messages come from a bundle; before and after it they are in English. */
export function speaking<T>(bundle: Bundle, make: () => T): T {
  useBundle(bundle);
  try {
    return make();
  } finally {
    useBundle({});
  }
}
