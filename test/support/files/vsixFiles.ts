import { buffer } from 'node:stream/consumers';
import { openPromise } from 'yauzl';

/** The contents of the files in a VSIX, by path. */
export async function vsixFiles(path: string): Promise<Map<string, Buffer>> {
  const archive = await openPromise(path);
  const files = new Map<string, Buffer>();
  for await (const entry of archive.eachEntry()) {
    files.set(entry.fileName, await buffer(await archive.openReadStreamPromise(entry)));
  }
  return files;
}

/** The Unix modes of the files in a VSIX, by path. */
export async function vsixModes(path: string): Promise<Map<string, number>> {
  const archive = await openPromise(path);
  const modes = new Map<string, number>();
  for await (const entry of archive.eachEntry()) {
    modes.set(entry.fileName, entry.externalFileAttributes >>> 16);
  }
  return modes;
}
