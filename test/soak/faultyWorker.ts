// The listener's thread on a disk and by a clock that the soak can spoil. Everything in this thread that writes
// a file is the journal.
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { workerData } from 'node:worker_threads';
import { clockCell, collectCell, type DiskFault, diskCell, diskFaults } from './faultCells.ts';

const { cells } = workerData as { cells: Int32Array };

function fault(): DiskFault {
  return diskFaults[Atomics.load(cells, diskCell)] ?? 'none';
}

function failIf(code: string, ...faults: DiskFault[]): void {
  if (faults.includes(fault())) throw Object.assign(new Error(`${code}: by the soak`), { code });
}

const { openSync, writevSync, fdatasync, fdatasyncSync } = fs;
const { open } = fs.promises;
const isReading = (flags: unknown): boolean => flags === undefined || flags === 'r';

Object.assign(fs, {
  openSync(path: string, flags?: string, mode?: number): number {
    if (!isReading(flags)) failIf('EROFS', 'readOnly');
    return openSync(path, flags ?? 'r', mode);
  },
  writevSync(fd: number, parts: readonly Uint8Array[], position: number): number {
    failIf('ENOSPC', 'full');
    failIf('EROFS', 'readOnly');
    const taken = fault() === 'takesPart' ? parts.slice(0, Math.ceil(parts.length / 2)) : parts;
    return writevSync(fd, taken, position);
  },
  fdatasyncSync(fd: number): void {
    failIf('EIO', 'doesNotSync');
    fdatasyncSync(fd);
  },
  fdatasync(fd: number, done: fs.NoParamCallback): void {
    fdatasync(fd, (error) => {
      if (fault() === 'doesNotSync') done(Object.assign(new Error('EIO: by the soak'), { code: 'EIO' }));
      else done(error);
    });
  },
});
Object.assign(fs.promises, {
  async open(path: string, flags?: string, mode?: number) {
    if (!isReading(flags)) failIf('ENOSPC', 'full', 'readOnly');
    return open(path, flags, mode);
  },
});
syncBuiltinESMExports();

const now = Date.now.bind(Date);
Date.now = () => now() + Atomics.load(cells, clockCell) * 1000;

setInterval(() => {
  if (Atomics.load(cells, collectCell) === 0) return;
  globalThis.gc?.();
  Atomics.store(cells, collectCell, 0);
}, 20).unref();

await import('../../src/webhooks/listener.worker.ts');
