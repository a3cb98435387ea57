import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { recordName } from './answerWriter.ts';

/** How many and how large answers are kept, by all windows together. */
export interface AnswerBounds {
  /** The most answers of one app. */
  perApp: number;
  /** The most bytes of one body. */
  body: number;
  /** The most bytes of all files together. */
  total: number;
}

export const answerBounds: AnswerBounds = {
  perApp: 50,
  body: 10 * 1024 * 1024,
  total: 200 * 1024 * 1024,
};

/** The files of one answer. */
interface Entry {
  id: string;
  files: string[];
  bytes: number;
  /** When it began, in milliseconds since the epoch. */
  at: number;
}

/** The length of a run's id, with which the names of all files of its answer begin. */
const idLength = 36;

/**
 * Deletes the oldest answers beyond the bounds. Other windows may write and delete at the same time: all use the same
 * order, and the last one to run sees all answers.
 * @param root the folder that has one folder for each app
 */
export async function keepBounds(root: string, { perApp, total }: AnswerBounds): Promise<void> {
  const left: Entry[] = [];
  for (const folder of await namesIn(root)) {
    const entries = newestFirst(await entriesIn(join(root, folder)));
    left.push(...entries.slice(0, perApp));
    for (const old of entries.slice(perApp)) await remove(old);
  }
  let bytes = 0;
  for (const entry of newestFirst(left)) {
    bytes += entry.bytes;
    if (bytes > total) await remove(entry);
  }
}

/** Deletes the answers of some runs. */
export async function removeAnswers(folder: string, ids: ReadonlySet<string>): Promise<void> {
  const names = await namesIn(folder);
  const gone = names.filter((name) => ids.has(name.slice(0, idLength)));
  await remove({ files: gone.map((name) => join(folder, name)) });
}

/** The answers that have a record: it is written first and deleted last. */
async function entriesIn(folder: string): Promise<Entry[]> {
  const entries: Entry[] = [];
  const names = await namesIn(folder);
  for (const record of names) {
    const id = record.slice(0, idLength);
    if (record !== recordName(id)) continue;
    const bodies = names.filter((name) => name.startsWith(`${id}.`) && !name.startsWith(record));
    const files = [...bodies, record].map((name) => join(folder, name));
    const found = await Promise.all(files.map((file) => stat(file).catch(ifGone)));
    const at = found.at(-1)?.mtimeMs;
    if (at === undefined) continue;
    entries.push({ id, files, bytes: found.reduce((sum, one) => sum + (one?.size ?? 0), 0), at });
  }
  return entries;
}

function newestFirst(entries: readonly Entry[]): Entry[] {
  return entries.toSorted((one, other) => other.at - one.at || (one.id < other.id ? -1 : 1));
}

async function remove({ files }: Pick<Entry, 'files'>): Promise<void> {
  for (const file of files) await rm(file, { force: true });
}

/** Empty if there is no such folder, or something else has its name, such as the file .DS_Store. */
async function namesIn(folder: string): Promise<string[]> {
  return (await readdir(folder).catch(ifNoFolder)) ?? [];
}

function ifNoFolder(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOTDIR') ifGone(error);
}

/** Ignores a missing file: another window may have deleted it. */
function ifGone(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
}
