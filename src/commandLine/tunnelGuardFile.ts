import { fileURLToPath } from 'node:url';

declare const runhookVersion: string | undefined;

/** The guard that tunnel programs run under: a bundle beside that of the program, or its source. */
export function tunnelGuardFile(): string {
  const beside =
    typeof runhookVersion === 'undefined' ? '../listener/tunnels/tunnelGuard.ts' : './tunnelGuard.js';
  return fileURLToPath(new URL(beside, import.meta.url));
}
