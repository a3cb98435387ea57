import { spawnSync } from 'node:child_process';

/** Whether a process can lead a group of its own: it has to be started with `detached` for that. */
export const hasGroups = process.platform !== 'win32';

/**
 * Sends a signal to a process that was started as the leader of a group, and to all that it has started; on Windows
 * it ends them, whatever the signal. With the signal 0 nothing is sent.
 * @returns whether there was a process to send it to
 */
export function signalGroup(pid: number | undefined, signal: 'SIGTERM' | 'SIGKILL' | 0): boolean {
  if (pid === undefined) return false;
  if (!hasGroups) {
    return spawnSync('taskkill', ['/pid', String(pid), '/T', '/F'], { windowsHide: true }).status === 0;
  }
  try {
    return process.kill(-pid, signal);
  } catch {
    return false; // No process of the group is left.
  }
}

/** The signals by which a user or the system asks a program to end: Ctrl-C, a kill, the end of its terminal. */
export const endSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
