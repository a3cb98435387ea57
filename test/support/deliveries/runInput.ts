import type { RunInput } from '../../../src/service/runs/run.ts';

/** A run of an app that has its result delivered to the listener. */
export const input: RunInput = {
  ...{ projectId: 'p', appName: 'echo', path: 'run', method: 'POST', headers: {} },
  webhook: true,
};
