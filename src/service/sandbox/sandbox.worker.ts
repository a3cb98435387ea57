import { parentPort } from 'node:worker_threads';
import { systemClock } from '../../shared/async/clock.ts';
import { connectRpc, threadPort } from '../../shared/rpc/rpc.ts';
import { unknownAccount } from '../projects/projectErrors.ts';
import type { SandboxCalls, SandboxNews } from './sandboxProtocol.ts';
import { SandboxServer } from './sandboxServer.ts';
import type { ServiceState } from './serviceState.ts';

if (parentPort === null) throw new Error('sandbox.worker runs as a worker thread.');

let running: SandboxServer | undefined;

function state(): ServiceState {
  if (running === undefined) throw new Error('The sandbox has not been started.');
  return running.state;
}

/**
 * Answers the calls of the host. The sandbox runs in its own thread, as the service runs on its own machine: a busy
 * extension host must not distort the times that a user measures.
 */
const { call: host } = connectRpc<SandboxNews, SandboxCalls>(threadPort(parentPort), {
  start: async (options) => {
    running = await SandboxServer.start({
      ...options,
      clock: systemClock,
      random: Math.random,
      log: (line) => void host.log(line),
      onAttempt: (attempt) => void host.attempt(attempt),
      onApplied: (applied) => void host.applied(applied),
      onIssued: (issued) => void host.issued(issued),
    });
    return running.address;
  },
  setApps: (apps) => state().setApps(apps),
  setFaults: (faults) => {
    state().faults = new Set(faults);
  },
  attempts: ({ runId }) => state().attempts.list(runId),
  forgetAttempts: ({ runIds }) => state().attempts.forget(runIds),
  newToken: ({ serviceAccountId }) => {
    const account = state().account(serviceAccountId);
    if (account === undefined) throw unknownAccount(state().projectId, serviceAccountId);
    return state().newToken(account, systemClock.now());
  },
  reset: () => state().reset(),
});
