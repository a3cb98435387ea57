import { fileURLToPath } from 'node:url';

/** Whether dist/ was built for this run, as `npm test` does: it is what ships, and starts in a third of the time. */
const isBuilt = process.env.RUNHOOK_VSIX !== undefined;

function entry(built: string, source: string): string {
  return fileURLToPath(new URL(isBuilt ? `../../dist/${built}` : `../../src/${source}`, import.meta.url));
}

/** The command line, which the listener program is a command of. */
export const commandLineEntry = entry('runhook.js', 'commandLine/main.ts');
export const sandboxEntry = entry('sandbox.js', 'sandbox/main.ts');
/** The thread that explains a delivery. */
export const explanationEntry = entry('explanation.worker.js', 'webhooks/explanation/explanation.worker.ts');
