/**
 * What the fixture `payment` finds in the sample handlers of test/fixtures/handlers: the variants that fail. The command
 * line and the Test view find the same.
 */
export const plantedBugs = {
  'node/forgetful.mjs': ['repeat'],
  'python/reserialised.py': ['as it is', 'repeat', 'out-of-order'],
};
