import type { LocalApps } from '../../../src/service/sandbox/sandboxProtocol.ts';
import { systemClock } from '../../../src/shared/async/clock.ts';
import { SandboxServer } from '../../../src/service/sandbox/sandboxServer.ts';

/** Starts a sandbox in this process, with the system's clock. */
export async function startSandboxServer(apps: LocalApps = {}, log: string[] = []): Promise<SandboxServer> {
  return SandboxServer.start({
    port: 0,
    apps,
    clock: systemClock,
    random: Math.random,
    log: (line) => log.push(line),
  });
}
