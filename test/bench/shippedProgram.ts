import { fileURLToPath } from 'node:url';

/** The command line, and with it the listener program, as `npm run build` bundles it. */
export const shippedProgram = fileURLToPath(new URL('../../dist/runhook.js', import.meta.url));
