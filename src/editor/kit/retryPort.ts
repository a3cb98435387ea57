import { setTimeout as delay } from 'node:timers/promises';
import { t } from '../../shared/text/l10n.ts';
import { UserError } from '../../shared/text/userError.ts';

/** Another program listens on the port, or the system does not allow it. */
export class PortTakenError extends UserError {
  override readonly name = 'PortTakenError';
}

/** The waits before a taken port is tried again, in milliseconds. */
export const retryWaitsMs = [100, 200, 400, 800];
/** The same after a reload: the closing window may hold its port for five seconds, longer on a busy machine. */
export const reloadWaitsMs = [...retryWaitsMs, 1600, 2000, 3000, 3000];

/**
 * Listens on a port, and tries again while it is taken.
 * @param listen rejects with Node's error
 * @throws PortTakenError if the port stays taken, or the system refuses it
 */
export async function retryPort<Listening>(
  port: number,
  waitsMs: readonly number[],
  listen: (port: number) => Promise<Listening>,
): Promise<Listening> {
  for (const waitMs of [...waitsMs, undefined]) {
    try {
      return await listen(port);
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? error.code : undefined;
      if (code === 'EACCES') {
        throw new PortTakenError(t('The system does not allow port {0}. Choose another.', port));
      }
      if (code !== 'EADDRINUSE') throw error;
      if (waitMs !== undefined) await delay(waitMs);
    }
  }
  throw new PortTakenError(
    t('Port {0} is in use by another program or window. Choose another port, or 0 for any.', port),
    { brief: t('Port {0} is in use by another program or window.', port) },
  );
}

/** Starts on the port used before if it is free, else on any free port. */
export async function anyPort<T>(
  before: number | undefined,
  start: (port: number) => Promise<T>,
): Promise<T> {
  if (before === undefined) return retryPort(0, [], start);
  return retryPort(before, [], start).catch(() => retryPort(0, [], start));
}
