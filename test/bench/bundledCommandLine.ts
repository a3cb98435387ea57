import { fileURLToPath } from 'node:url';

/** The bundled command line, which contains the listener program. */
export const bundledCommandLine = fileURLToPath(new URL('../../dist/runhook.js', import.meta.url));
