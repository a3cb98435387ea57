import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { percentile } from './statistics.ts';

/**
 * Measures how long the disk takes to write and sync 1.5 KB, in milliseconds. It is a lower bound for a commit of the
 * store, which limits the throughput.
 */
export function syncTime(folder = process.env['RUNHOOK_BENCH_FOLDER'] ?? tmpdir()): {
  median: number;
  p99: number;
} {
  const file = join(fs.mkdtempSync(join(folder, 'runhook-sync-')), 'file');
  const fd = fs.openSync(file, 'wx');
  const record = Buffer.alloc(1500, 1);
  const count = 300;
  fs.writeSync(fd, Buffer.alloc(record.length * count));
  fs.fsyncSync(fd);
  const taken: number[] = [];
  for (let index = 0; index < count; index += 1) {
    const started = performance.now();
    fs.writeSync(fd, record, 0, record.length, index * record.length);
    fs.fdatasyncSync(fd);
    taken.push(performance.now() - started);
  }
  fs.closeSync(fd);
  fs.rmSync(file);
  return { median: percentile(taken, 0.5), p99: percentile(taken, 0.99) };
}
