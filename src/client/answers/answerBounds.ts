import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** How much is kept of answers, by all windows together. */
export interface AnswerBounds {
  /** So many of each app. */
  perApp: number;
  /** So many bytes of each body. */
  body: number;
  /** So many bytes of all files. */
  total: number;
}

export const answerBounds: AnswerBounds = {
  perApp: 50,
  body: 10 * 1024 * 1024,
  total: 200 * 1024 * 1024,
};

/** The files of one answer. */
interface Entry {
  files: string[];
  bytes: number;
  /** When the last of them was written, in milliseconds since the epoch. */
  at: number;
}

/** All names of the files of a run's answer begin with its id, which is so long. */
const idLength = 36;

/**
 * Deletes the oldest answers beyond the bounds. Other windows may write and delete beside it: whoever is last sees all.
 * @param root has one folder for each app
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

async function entriesIn(folder: string): Promise<Entry[]> {
  const entries = new Map<string, Entry>();
  for (const name of await namesIn(folder)) {
    const path = join(folder, name);
    const id = name.slice(0, idLength);
    const { mtimeMs = 0, size = 0 } = (await stat(path).catch(ifGone)) ?? {};
    const { files, bytes, at } = entries.get(id) ?? { files: [], bytes: 0, at: 0 };
    entries.set(id, { files: [...files, path], bytes: bytes + size, at: Math.max(at, mtimeMs) });
  }
  return [...entries.values()];
}

function newestFirst(entries: readonly Entry[]): Entry[] {
  return entries.toSorted((one, other) => other.at - one.at);
}

async function remove({ files }: Pick<Entry, 'files'>): Promise<void> {
  for (const file of files) await rm(file, { force: true });
}

/** None where there is no such folder. */
async function namesIn(folder: string): Promise<string[]> {
  return (await readdir(folder).catch(ifGone)) ?? [];
}

/** Another window may have deleted it meanwhile. */
function ifGone(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
}
