import { once } from 'node:events';
import { failureReason } from '../model/service/failureReason.ts';
import { readSandboxArguments, runSandbox } from './sandboxProgram.ts';

const usage = 'Usage: node sandbox.js [--port <port>] [--app <name>=<url>]…';

/** The sandbox as a program: one line of JSON on the standard output, then it serves until it is ended. */
async function main(): Promise<void> {
  const given = readSandboxArguments(process.argv.slice(2));
  await runSandbox(given, () => Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')]));
}

main().then(
  () => process.exit(0),
  (error: unknown) => {
    const fault = error instanceof Error ? (error.stack ?? error.message) : String(error);
    process.stderr.write(`${failureReason(error) ?? fault}\n${usage}\n`);
    process.exitCode = 2;
  },
);
