import { fileURLToPath } from 'node:url';

/** The guard that tunnel programs run under, as Node runs it from its source. */
export const guardFile = fileURLToPath(new URL('../../src/listener/tunnels/tunnelGuard.ts', import.meta.url));
