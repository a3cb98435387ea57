import * as fs from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import * as v from 'valibot';
import { readSmallFile } from '../shared/files/regularFile.ts';
import { userDataFolder } from '../shared/files/userDataFolder.ts';

/** What an agent's program asks of a window of the editor, over a local socket. */
export interface DoorCalls {
  /** Has to come first. @returns the folders of the window, and the ids of its projects */
  hello(asked: { key: string }): { folders: string[]; projectIds: string[] };
  /**
   * Calls a tool of the window, which asks the human as it would for a chat.
   * @returns what the tool gives a model; its errors are for a model too
   */
  call(asked: { name: string; input: unknown }): string;
}

/** How an agent's program finds the door of a window, for anyone who may read the user's files. */
const doorFile = v.object({ protocol: v.literal(1), socket: v.string(), key: v.string(), pid: v.number() });
export type DoorFile = v.InferOutput<typeof doorFile>;

/** A file has a few hundred bytes. */
const mostBytes = 64 * 1024;

/** The folder with a file for each open window, beside what the command line keeps. */
export function doorsFolder(
  environment = process.env,
  platform = process.platform,
  home = homedir(),
): string {
  return join(userDataFolder(environment, platform, home), 'windows');
}

/** The files of the windows that are open, or were not closed in order. */
export function doorFiles(folder: string): { path: string; door: DoorFile }[] {
  let names: string[];
  try {
    names = fs.readdirSync(folder);
  } catch {
    return []; // No window has ever been open.
  }
  return names
    .filter((name) => name.endsWith('.json'))
    .flatMap((name) => {
      const path = join(folder, name);
      const door = readDoor(path);
      return door === undefined ? [] : [{ path, door }];
    });
}

function readDoor(path: string): DoorFile | undefined {
  try {
    const read = v.safeParse(v.pipe(v.string(), v.parseJson(), doorFile), readSmallFile(path, mostBytes));
    return read.success ? read.output : undefined;
  } catch {
    return undefined; // Closed meanwhile.
  }
}
