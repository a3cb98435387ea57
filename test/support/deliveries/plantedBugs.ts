/**
 * The variants of the fixture `payment` that fail for the sample handlers in test/fixtures/handlers. The command line and
 * the Test view must find the same failures.
 */
export const plantedBugs = {
  'node/forgetful.mjs': ['repeat', 'concurrent'],
  'python/reserialised.py': ['as it is', 'repeat', 'out-of-order', 'concurrent'],
};
