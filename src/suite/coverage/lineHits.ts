import { isAbsolute } from 'node:path';
import { eachMapping, type EncodedSourceMap, TraceMap } from '@jridgewell/trace-mapping';
import { ownFile } from '../../deliveries/failure/failurePlace.ts';
import { sourceFile } from '../../deliveries/failure/sourceMap.ts';
import { pathOfUrl, type Workspace } from '../../deliveries/failure/workspaceFiles.ts';

/** What Node writes into the folder `NODE_V8_COVERAGE`. Offsets count UTF-16 units of the code that ran. */
export interface NodeCoverage {
  result: readonly {
    url: string;
    /** A range lies within those in front of it, or beside them. */
    functions: readonly {
      ranges: readonly { startOffset: number; endOffset: number; count: number }[];
    }[];
  }[];
  /** By URL of the script, with the lengths of its lines. */
  'source-map-cache'?: Readonly<Record<string, { lineLengths: readonly number[]; data: unknown }>>;
}

/** How often lines ran, by file and by line from 0. Lines without code are absent. */
export type LineHits = Map<string, Map<number, number>>;

/** The largest file whose lines are counted, in bytes. */
const mostBytes = 16 * 1024 * 1024;

/** How often the lines of the workspace's own files ran. Of a compiled file, the lines of its sources count. */
export async function lineHits(
  { result, 'source-map-cache': maps = {} }: NodeCoverage,
  workspace: Workspace,
): Promise<LineHits> {
  const hits: LineHits = new Map();
  for (const { url, functions } of result) {
    const path = isAbsolute(url) ? url : pathOfUrl(url);
    if (path === undefined || ownFile(path, workspace) === undefined) continue;
    const ranges = functions.flatMap((one) => one.ranges);
    const { data, lineLengths } = maps[url] ?? {};
    if (data && lineLengths) {
      const starts = startsOf(lineLengths);
      const counts = countsOf(ranges, starts.at(-1) ?? 0);
      for (const [source, parts] of partsOf(data, starts)) {
        const own = await readLines(await sourceFile(source, path, workspace), workspace);
        if (own !== undefined) add(hits, own, parts, counts);
      }
    } else {
      const own = await readLines(path, workspace);
      if (own !== undefined) add(hits, own, words(own.lines), countsOf(ranges, own.length));
    }
  }
  return hits;
}

/** A part of a line, and where it stands in the code that ran. */
interface Part {
  line: number;
  column: number;
  offset: number;
}

interface OwnFile {
  file: string;
  lines: readonly string[];
  length: number;
}

/** A line of several parts ran if one of them did. */
function add(hits: LineHits, { file, lines }: OwnFile, parts: Iterable<Part>, counts: Uint32Array): void {
  const ofFile = hits.get(file) ?? new Map<number, number>();
  hits.set(file, ofFile);
  for (const { line, column, offset } of parts) {
    const text = lines[line] ?? '';
    // What ends with a brace may go on behind it.
    if (hasCode(text) && !/[)\]}]/.test(text.charAt(column)))
      ofFile.set(line, Math.max(ofFile.get(line) ?? 0, counts[offset] ?? 0));
  }
}

/** Whether a line says what to do: it is neither empty, nor a comment, nor the brace that ends something. */
function hasCode(line: string): boolean {
  return /\w/.test(line) && !/^\s*(?:\/\/|\/?\*)/.test(line);
}

/** How often each character ran. What was not reported did not run. */
function countsOf(
  ranges: readonly { startOffset: number; endOffset: number; count: number }[],
  length: number,
): Uint32Array {
  const counts = new Uint32Array(length);
  for (const { startOffset, endOffset, count } of ranges) counts.fill(count, startOffset, endOffset);
  return counts;
}

/** Where lines start, and where the last one ends. */
function startsOf(lengths: readonly number[]): number[] {
  const starts = [0];
  for (const length of lengths) starts.push((starts.at(-1) ?? 0) + length + 1);
  return starts;
}

function words(lines: readonly string[]): Part[] {
  const starts = startsOf(lines.map(({ length }) => length));
  return lines.flatMap((text, line) =>
    [...text.matchAll(/\w+/g)].map(({ index }) => ({
      line,
      column: index,
      offset: (starts[line] ?? 0) + index,
    })),
  );
}

/** None where it is no map: others write maps. */
function partsOf(map: unknown, starts: readonly number[]): Map<string, Part[]> {
  try {
    return mappedParts(map, starts);
  } catch {
    return new Map();
  }
}

/** The parts of a compiled file by the source that they come from. @param starts where its lines start */
function mappedParts(map: unknown, starts: readonly number[]): Map<string, Part[]> {
  const parts = new Map<string, Part[]>();
  eachMapping(new TraceMap(map as EncodedSourceMap), (mapping) => {
    const { source, originalLine, originalColumn, generatedLine, generatedColumn } = mapping;
    if (source === null) return;
    const ofSource = parts.get(source) ?? [];
    parts.set(source, ofSource);
    ofSource.push({
      line: originalLine - 1,
      column: originalColumn,
      offset: (starts[generatedLine - 1] ?? 0) + generatedColumn,
    });
  });
  return parts;
}

async function readLines(path: string | undefined, workspace: Workspace): Promise<OwnFile | undefined> {
  const file = path && ownFile(path, workspace);
  const text = file && (await workspace.read(file, mostBytes));
  if (!file || text === undefined) return undefined;
  return { file, lines: text.split('\n'), length: text.length };
}
