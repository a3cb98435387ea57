import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import * as fs from 'node:fs';
import { chmod, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { killPrograms, programsOf } from '../support/programsOf.ts';
import type { Fault, Site } from './site.ts';

const run = promisify(execFile);

/** No file that the program writes may become larger, as when a disk is full. Linux alone can do that to another. */
const diskIsFull: Fault = async (site) => {
  const pids = await programsOf(site.folder);
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

/** Who may do anything is not kept from writing by what a folder allows. */
const folderIsReadOnly: Fault = async ({ storeFolder, random }) => {
  await chmod(storeFolder, 0o500);
  await pause(random.whole(50, 500));
  await chmod(storeFolder, 0o700);
};

/** What the disk does to a program that goes on. */
export const diskFaults: Readonly<Record<string, Fault>> = {
  ...(process.platform === 'linux' && { diskIsFull }),
  ...(process.getuid?.() !== 0 && process.platform !== 'win32' && { folderIsReadOnly }),
};

/** What takes its file from a program: what was acknowledged before has gone with it. */
export const fileFaults: Readonly<Record<string, Fault>> = {
  folderIsRemoved: async (site) => {
    // The program may write while it is removed.
    await rm(site.folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 5 });
    site.sender.forget();
    await pause(site.random.whole(10, 1500));
  },
  storeIsRemoved: async (site) => {
    await rm(site.storeFolder, { recursive: true, force: true, maxRetries: 20, retryDelay: 5 });
    site.sender.forget();
  },
  fileIsReplaced: async (site) => {
    const other = join(site.folder, 'other.sqlite');
    const kind = site.random.of(['garbage', 'empty', 'database'] as const);
    if (kind === 'database') anotherDatabase(other);
    else fs.writeFileSync(other, kind === 'garbage' ? randomBytes(50_000) : '');
    const before = setAside(site);
    fs.renameSync(other, join(site.storeFolder, 'deliveries.sqlite'));
    site.sender.forget();
    await site.mustAnswer(`fileIsReplaced by ${kind}`);
    const isAside = setAside(site) > before;
    if (isAside !== (kind === 'garbage'))
      site.fail(`A file of ${kind} was ${isAside ? '' : 'not '}set aside.`);
  },
  fileIsSpoilt: async (site) => {
    await Promise.all([site.window.kill(), killPrograms(site.folder)]);
    for (const end of ['', '-wal']) spoil(join(site.storeFolder, `deliveries.sqlite${end}`));
    site.sender.forget();
    const before = setAside(site);
    site.window = await site.openWindow();
    await site.mustAnswer('fileIsSpoilt');
    if (setAside(site) <= before) site.fail('A file that was spoilt was not set aside.');
  },
};

/** How many files were set aside. */
function setAside({ storeFolder }: Site): number {
  return fs.readdirSync(storeFolder).filter((name) => /^deliveries-broken-.*\.sqlite$/.test(name)).length;
}

function spoil(path: string): void {
  if (!fs.existsSync(path)) return;
  const file = fs.openSync(path, 'r+');
  fs.writeSync(file, randomBytes(100), 0, 100, 0);
  fs.closeSync(file);
}

function anotherDatabase(path: string): void {
  const database = new DatabaseSync(path);
  database.exec('CREATE TABLE notes (text TEXT)');
  database.close();
}
