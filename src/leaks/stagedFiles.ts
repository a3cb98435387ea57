import { relative, sep } from 'node:path';
import { decodedText, longestText } from './fileText.ts';
import { askGit } from './gitProgram.ts';

/** A staged file that is not too large. */
export interface StagedFile {
  path: string;
  /** The id of its content in git's index. */
  object: string;
  /** In bytes. */
  size: number;
}

/** The most files that are looked at. A larger commit was generated, or comes from elsewhere. */
const mostFiles = 1000;

/** How many bytes of content are requested from git together. */
const batchBytes = 32_000_000;

/**
 * Finds the staged versions of some files.
 * @param root the root folder of the repository
 * @param paths absolute, in that repository
 */
export async function stagedFiles(
  program: string,
  root: string,
  paths: readonly string[],
): Promise<StagedFile[]> {
  // A path that contains a line break cannot be passed to this command.
  const asked = paths.filter((path) => !path.includes('\n')).slice(0, mostFiles);
  const names = asked.map((path) => `:0:${relative(root, path).replaceAll(sep, '/')}\n`);
  const printed = await askGit(program, ['cat-file', '--batch-check'], {
    folder: root,
    input: names.join(''),
  });
  const lines = printed.toString().split('\n');
  return asked.flatMap((path, index) => {
    const [, object, size] = /^([\da-f]{40,64}) blob (\d+)$/.exec(lines[index] ?? '') ?? [];
    if (object === undefined || Number(size) > longestText) return [];
    return [{ path, object, size: Number(size) }];
  });
}

/**
 * Reads the staged files directly from the index, without filters or other programs of the repository. Binary files
 * are left out.
 */
export async function* stagedTexts(
  program: string,
  root: string,
  files: readonly StagedFile[],
): AsyncGenerator<{ file: StagedFile; text: string }> {
  for (const batch of batches(files)) {
    const input = batch.map(({ object }) => `${object}\n`).join('');
    const printed = await askGit(program, ['cat-file', '--batch'], { folder: root, input });
    let at = 0;
    for (const file of batch) {
      // <object> blob <size> LF <content> LF
      const start = printed.indexOf('\n', at) + 1;
      at = start + file.size + 1;
      const text = decodedText(printed.subarray(start, start + file.size));
      if (text !== undefined) yield { file, text };
    }
  }
}

function batches(files: readonly StagedFile[]): StagedFile[][] {
  const all: StagedFile[][] = [];
  let [batch, bytes]: [StagedFile[], number] = [[], 0];
  for (const file of files) {
    if (batch.length === 0 || bytes + file.size > batchBytes) {
      [batch, bytes] = [[], 0];
      all.push(batch);
    }
    batch.push(file);
    bytes += file.size;
  }
  return all;
}
