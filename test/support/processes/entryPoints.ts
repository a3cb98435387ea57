import { fileURLToPath } from 'node:url';

/** `npm test` builds dist/ first. The tests then run what ships, which also starts three times as fast. */
const useBuilt = process.env.RUNHOOK_VSIX !== undefined;

function entry(built: string, source: string): string {
  return fileURLToPath(
    new URL(useBuilt ? `../../../dist/${built}` : `../../../src/${source}`, import.meta.url),
  );
}

/** The command line. The listener program is one of its commands. */
export const commandLineEntry = entry('runhook.js', 'commandLine/main.ts');
export const sandboxEntry = entry('sandbox.js', 'service/sandbox/main.ts');
/** The worker thread that explains a delivery. */
export const explanationEntry = entry(
  'explanation.worker.js',
  'editor/deliveries/explanation/explanation.worker.ts',
);
