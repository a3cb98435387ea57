import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import * as fs from 'node:fs';
import { chmod, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { killListenerPrograms, listenerPrograms } from '../support/listener/listenerPrograms.ts';
import type { Fault, Site } from './site.ts';

const run = promisify(execFile);

/** Limits the file size for the program, which has the effect of a full disk. Linux only. */
const diskIsFull: Fault = async (site) => {
  const pids = await listenerPrograms(site.folder);
  const limit = async (bytes: string): Promise<void> => {
    for (const pid of pids) await run('prlimit', ['--pid', String(pid), `--fsize=${bytes}:`]);
  };
  await limit(String(site.random.of([0, 5000, 60_000, 200_000])));
  try {
    await pause(site.random.whole(50, 500));
  } finally {
    await limit('unlimited');
  }
};

/** Has no effect for root. */
const folderIsReadOnly: Fault = async ({ storeFolder, random }) => {
  await chmod(storeFolder, 0o500);
  await pause(random.whole(50, 500));
  await chmod(storeFolder, 0o700);
};

/** Disk faults that do not end a program. */
export const diskFaults: Readonly<Record<string, Fault>> = {
  ...(process.platform === 'linux' && { diskIsFull }),
  ...(process.getuid?.() !== 0 && process.platform !== 'win32' && { folderIsReadOnly }),
};

/** Faults that remove or replace a program's file, and with it the deliveries acknowledged before. */
export const fileFaults: Readonly<Record<string, Fault>> = {
  folderIsRemoved: async (site) => {
    // Retries, because the program may write at the same time.
    await rm(site.folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 5 });
    site.sender.forgetAcknowledged();
    await pause(site.random.whole(10, 1500));
  },
  storeIsRemoved: async (site) => {
    await rm(site.storeFolder, { recursive: true, force: true, maxRetries: 20, retryDelay: 5 });
    site.sender.forgetAcknowledged();
  },
  fileIsReplaced: async (site) => {
    const other = join(site.folder, 'other.sqlite');
    const kind = site.random.of(['garbage', 'empty', 'database'] as const);
    if (kind === 'database') createOtherDatabase(other);
    else fs.writeFileSync(other, kind === 'garbage' ? randomBytes(50_000) : '');
    const before = countSetAside(site);
    fs.renameSync(other, join(site.storeFolder, 'deliveries.sqlite'));
    site.sender.forgetAcknowledged();
    await site.expectRecovery(`fileIsReplaced by ${kind}`);
    const isAside = countSetAside(site) > before;
    if (isAside !== (kind === 'garbage'))
      site.fail(`A file of ${kind} was ${isAside ? '' : 'not '}set aside.`);
  },
  fileIsSpoilt: async (site) => {
    await Promise.all([site.window.kill(), killListenerPrograms(site.folder)]);
    for (const end of ['', '-wal']) corruptHeader(join(site.storeFolder, `deliveries.sqlite${end}`));
    site.sender.forgetAcknowledged();
    const before = countSetAside(site);
    site.window = await site.openWindow();
    await site.expectRecovery('fileIsSpoilt');
    if (countSetAside(site) <= before) site.fail('A file that was spoilt was not set aside.');
  },
};

/** The number of broken files that the store has set aside. */
function countSetAside({ storeFolder }: Site): number {
  return fs.readdirSync(storeFolder).filter((name) => /^deliveries-broken-.*\.sqlite$/.test(name)).length;
}

function corruptHeader(path: string): void {
  if (!fs.existsSync(path)) return;
  const file = fs.openSync(path, 'r+');
  fs.writeSync(file, randomBytes(100), 0, 100, 0);
  fs.closeSync(file);
}

function createOtherDatabase(path: string): void {
  const database = new DatabaseSync(path);
  database.exec('CREATE TABLE notes (text TEXT)');
  database.close();
}
