import { dirname, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { originalPositionFor, TraceMap } from '@jridgewell/trace-mapping';
import type { Frame } from './traces.ts';
import { pathOfUrl, type Workspace } from './workspaceFiles.ts';

/** The largest map that is read, in bytes. */
const mostBytes = 32 * 1024 * 1024;

/** The place in the source that a place of a compiled file comes from; undefined if no map tells it. */
export async function originalPlace(
  { file, line, column }: Frame,
  text: string,
  workspace: Pick<Workspace, 'read'>,
): Promise<Frame | undefined> {
  const [, address] = /^[ \t]*\/\/[#@] ?sourceMappingURL=(\S+)/.exec(lastComment(text)) ?? [];
  if (address === undefined) return undefined;
  try {
    const isInline = address.startsWith('data:');
    const from = isInline ? file : pathOfUrl(new URL(address, pathToFileURL(file)).href);
    if (from === undefined) return undefined;
    const json = isInline ? inlineMap(address) : await workspace.read(from, mostBytes);
    if (json === undefined) return undefined;
    const map = new TraceMap(json, pathToFileURL(from).href);
    const at = originalPositionFor(map, { line, column: (column ?? 1) - 1 });
    if (at.source === null) return undefined;
    const source = await sourceFile(at.source, from, workspace);
    if (source === undefined) return undefined;
    return { file: source, line: at.line, ...(column !== undefined && { column: at.column + 1 }) };
  } catch {
    // Others write maps: this is none, or its mappings or addresses are broken.
    return undefined;
  }
}

/** The last line of a file with the address of its map: one in front of it may be a text of the program. */
function lastComment(text: string): string {
  const at = text.lastIndexOf('sourceMappingURL=');
  return at < 0 ? '' : text.slice(text.lastIndexOf('\n', at) + 1);
}

function inlineMap(address: string): string | undefined {
  const comma = address.indexOf(',');
  const data = address.slice(comma + 1);
  if (data.length > mostBytes) return undefined;
  const isBase64 = address.slice(0, comma).endsWith(';base64');
  return isBase64 ? Buffer.from(data, 'base64').toString() : decodeURIComponent(data);
}

/** The file of a source. Bundlers name it from the root of its package, under a protocol of their own. */
export async function sourceFile(
  source: string,
  map: string,
  workspace: Pick<Workspace, 'read'>,
): Promise<string | undefined> {
  if (source.startsWith('file:')) return pathOfUrl(source);
  const [, bundled] = /^webpack:\/\/[^/]*\/([^?]+)/.exec(source) ?? [];
  if (bundled === undefined) return undefined;
  for (let folder = dirname(map); ; folder = dirname(folder)) {
    const path = resolve(folder, bundled);
    if ((await workspace.read(path, mostBytes)) !== undefined) return path;
    if (folder === dirname(folder)) return undefined;
  }
}
