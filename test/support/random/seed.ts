import fc from 'fast-check';

/**
 * The seed of all random tests. `npm test` sets it, so that its result does not depend on chance. Otherwise each run
 * uses another seed.
 */
export const seed = Number(process.env.RUNHOOK_SEED ?? Date.now() % 2 ** 31);

fc.configureGlobal({ seed });
