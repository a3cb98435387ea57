import fc from 'fast-check';

/**
 * What random tests begin with. `npm test` sets it, so that a run tells of a change and not of its luck; by itself
 * each run has another one.
 */
export const seed = Number(process.env.RUNHOOK_SEED ?? Date.now() % 2 ** 31);

fc.configureGlobal({ seed });
