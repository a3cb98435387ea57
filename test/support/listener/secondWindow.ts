import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { type Attached, attachProgram } from '../../../src/listener/attach/attachProgram.ts';
import type { ListenerSettings } from '../../../src/deliveries/listenerProtocol.ts';
import { ignoringHandlers } from './ignoringHandlers.ts';

/** Finds the storage folder of the listener program that this process has started. */
export async function ownProgramFolder(): Promise<string> {
  const { stdout } = await promisify(execFile)('/bin/ps', ['axww', '-o', 'ppid=,args='], {
    maxBuffer: 64 * 1024 * 1024,
  });
  for (const line of stdout.split('\n')) {
    const [, parent, folder] = /^\s*(\d+) .* program (.+) \d+$/.exec(line.trimEnd()) ?? [];
    if (folder !== undefined && Number(parent) === process.pid) return folder;
  }
  throw new Error('This process has started no listener program.');
}

const settings: ListenerSettings = {
  secrets: [{ secret: 'the secret of another window', owner: { kind: 'default' } }],
  toleranceSeconds: 300,
  acceptUnverified: false,
  isPublic: false,
  maxBodyBytes: 10 << 20,
  forwardMode: 'afterAck',
  keep: 1000,
  keepAliveSeconds: 0,
};

/** Attaches to the listener program of a storage folder as another window does. Starts the program if needed. */
export function attachSecondWindow(folder: string, entry: string, version: string): Promise<Attached> {
  return attachProgram({
    ...{ entry, folder, version, replaces: false },
    hello: () => Promise.resolve({ settings, messages: {} }),
    handlers: ignoringHandlers,
  });
}
