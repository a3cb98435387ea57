import { fileURLToPath } from 'node:url';

/** The source of the guard process that tunnel programs run under. */
export const guardFile = fileURLToPath(
  new URL('../../../src/listener/tunnels/tunnelGuard.ts', import.meta.url),
);
