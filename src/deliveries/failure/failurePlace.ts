import { isAbsolute, resolve } from 'node:path';
import { plainText } from '../../shared/text/plainText.ts';
import type { FailurePlace } from '../../contract/delivery.ts';
import { originalPlace } from './sourceMap.ts';
import type { Frame, Trace } from './traces.ts';
import { tracesOfBody } from './tracesOfBody.ts';
import { pathOfUrl, withinFolders, type Workspace } from './workspaceFiles.ts';

/** The largest file that is read to see that it has a line, in bytes. A bundle may be larger than what people write. */
const mostBytes = 16 * 1024 * 1024;
/** How many frames of a trace are looked up: each may read a file. */
const mostFrames = 50;

/** Where an error was thrown, or the line that led there: the first of the workspace. Undefined if none is. */
export async function failurePlace(trace: Trace, workspace: Workspace): Promise<FailurePlace | undefined> {
  for (const frame of trace.frames.slice(0, mostFrames)) {
    const place = await placeInWorkspace(frame, workspace);
    if (place !== undefined) return { ...place, message: plainText(trace.message, 200) };
  }
  return undefined;
}

/** The same of the last error in the body of a response that has one. */
export function placeInBody(body: string, workspace: Workspace): Promise<FailurePlace | undefined> {
  return lastPlace(tracesOfBody(body), workspace);
}

/** The same of the last of several errors that has one. */
export async function lastPlace(
  traces: readonly Trace[],
  workspace: Workspace,
): Promise<FailurePlace | undefined> {
  for (const trace of traces.toReversed()) {
    const place = await failurePlace(trace, workspace);
    if (place !== undefined) return place;
  }
  return undefined;
}

async function placeInWorkspace(frame: Frame, workspace: Workspace): Promise<Frame | undefined> {
  for (const path of pathsOf(frame.file, workspace)) {
    const file = ownFile(path, workspace);
    if (file === undefined) continue;
    const text = await workspace.read(file, mostBytes);
    if (text === undefined || !hasLine(text, frame.line)) continue;
    const original = await originalPlace({ ...frame, file }, text, workspace);
    if (original === undefined) return { ...frame, file };
    // A bundle has libraries in it.
    const source = ownFile(original.file, workspace);
    const sourceText = source && (await workspace.read(source, mostBytes));
    if (source === undefined || sourceText === undefined) return undefined;
    return hasLine(sourceText, original.line) ? { ...original, file: source } : undefined;
  }
  return undefined;
}

/** The paths that a trace may mean by the name of a file. */
function pathsOf(name: string, { folders }: Workspace): string[] {
  if (name.startsWith('file:')) {
    const path = pathOfUrl(name);
    return path === undefined ? [] : [path];
  }
  if (/^[a-z][\w.+-]+:|^</i.test(name)) return [];
  return isAbsolute(name) ? [name] : folders.map(({ path }) => resolve(path, name));
}

/** Folders with what others have written. */
const foreign = /(?:^|[\\/])(?:node_modules|site-packages|dist-packages|\.yarn|\.venv|venv)(?:[\\/]|$)/;

/** A path by the name of the workspace's folder that it is in; undefined if it is in none, or somebody else's. */
export function ownFile(path: string, { folders }: Workspace): string | undefined {
  const { folder, inside } = withinFolders(path, folders) ?? {};
  if (folder === undefined || inside === undefined || foreign.test(inside)) return undefined;
  return resolve(folder, inside);
}

function hasLine(text: string, line: number): boolean {
  let at = 0;
  for (let count = 1; count < line; count += 1) {
    at = text.indexOf('\n', at) + 1;
    if (at === 0) return false;
  }
  return line > 0;
}
