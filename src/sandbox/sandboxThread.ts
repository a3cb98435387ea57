import { Channel, type Port } from '../model/processes/channel.ts';
import type { SandboxCalls, SandboxNews } from '../model/service/sandboxProtocol.ts';
import { systemClock } from '../model/processes/clock.ts';
import { attemptTimeoutMs, SandboxServer } from './sandboxServer.ts';

/**
 * Answers what the host asks. The sandbox has a thread of its own, as the service has a machine of its own:
 * a busy extension host must not delay what a user measures.
 */
export function runSandboxThread(port: Port): void {
  let running: SandboxServer | undefined;
  const sandbox = () => {
    if (running === undefined) throw new Error('The sandbox has not been started.');
    return running;
  };
  const channel = new Channel<SandboxNews, SandboxCalls>(port, {
    start: async ({ port: asked, ...given }) => {
      running = await SandboxServer.start({
        port: asked,
        ...given,
        clock: systemClock,
        random: Math.random,
        attemptTimeoutMs,
        log: (line) => void channel.request('log', line),
        onAttempt: ({ runId }) => void channel.request('attempt', { runId }),
        onApplied: (applied) => void channel.request('applied', applied),
      });
      return running.address;
    },
    setApps: (apps) => {
      sandbox().setApps(apps);
      return sandbox().apps;
    },
    setFaults: (faults) => {
      sandbox().setFaults(faults);
      return null;
    },
    attempts: ({ runId }) => sandbox().attempts(runId),
    newToken: ({ serviceAccountId }) => sandbox().newToken(serviceAccountId),
    reset: () => {
      sandbox().reset();
      return null;
    },
  });
}
