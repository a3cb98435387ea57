import { parentPort, workerData } from 'node:worker_threads';
import type { FromSandbox, SandboxWorkerData, ToSandbox } from '../model/sandboxProtocol.ts';
import { systemClock } from './clock.ts';
import { SandboxServer } from './sandboxServer.ts';

// The sandbox has a thread of its own, as the service has a machine of its own: a busy extension host must
// not delay what a user measures.

function post(message: FromSandbox): void {
  parentPort?.postMessage(message);
}

function handle(sandbox: SandboxServer, message: ToSandbox): void {
  switch (message.kind) {
    case 'setApps':
      sandbox.setApps(message.apps);
      post({ kind: 'appsChanged', apps: sandbox.apps });
      break;
    case 'setFaults':
      sandbox.setFaults(message.faults);
      break;
    case 'reset':
      sandbox.reset();
  }
}

async function main(): Promise<void> {
  const { port, apps } = workerData as SandboxWorkerData;
  const log = (line: string) => post({ kind: 'log', line });
  const sandbox = await SandboxServer.start({
    port,
    apps,
    clock: systemClock,
    random: Math.random,
    attemptTimeoutMs: 30_000,
    log,
  });
  parentPort?.on('message', (message: ToSandbox) => {
    try {
      handle(sandbox, message);
    } catch (error) {
      post({ kind: 'refused', reason: reasonOf(error) });
    }
  });
  post({ kind: 'started', address: sandbox.address });
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

main().catch((error: unknown) => {
  post({ kind: 'failed', reason: reasonOf(error) });
  parentPort?.close();
});
