import { once } from 'node:events';
import { failureReason } from '../model/service/failureReason.ts';
import { runSandbox } from './sandboxProgram.ts';

const usage = 'Usage: node sandbox.js [--port <port>] [--app <name>=<url>]…';

const ended = () => Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')]);

runSandbox(process.argv.slice(2), ended).then(
  () => process.exit(0),
  (error: unknown) => {
    const fault = error instanceof Error ? (error.stack ?? error.message) : String(error);
    process.stderr.write(`${failureReason(error) ?? fault}\n${usage}\n`);
    process.exitCode = 2;
  },
);
