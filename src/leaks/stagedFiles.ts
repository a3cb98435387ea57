import { relative, sep } from 'node:path';
import { decodedText, longestText } from './fileText.ts';
import { askGit } from './gitProgram.ts';

/** A file as it is staged: a text that is not too large. */
export interface StagedFile {
  path: string;
  /** The id of its content in git's index. */
  object: string;
  /** In bytes. */
  size: number;
}

/** What a commit of more files holds was generated, or comes from elsewhere. */
const mostFiles = 1000;

/** Contents that are asked for together, in bytes. */
const portion = 32_000_000;

/**
 * Which of some files are staged, and as what.
 * @param root of the repository
 * @param paths absolute, in that repository
 */
export async function stagedFiles(
  program: string,
  root: string,
  paths: readonly string[],
): Promise<StagedFile[]> {
  // A name with a line end in it cannot be asked for.
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
 * What is staged, as it lies in the index: neither filters nor other programs of the repository see it. What is
 * binary is left out.
 */
export async function* stagedTexts(
  program: string,
  root: string,
  files: readonly StagedFile[],
): AsyncGenerator<{ file: StagedFile; text: string }> {
  for (const some of portions(files)) {
    const input = some.map(({ object }) => `${object}\n`).join('');
    const printed = await askGit(program, ['cat-file', '--batch'], { folder: root, input });
    let at = 0;
    for (const file of some) {
      // <object> blob <size> LF <content> LF
      const start = printed.indexOf('\n', at) + 1;
      at = start + file.size + 1;
      const text = decodedText(printed.subarray(start, start + file.size));
      if (text !== undefined) yield { file, text };
    }
  }
}

function portions(files: readonly StagedFile[]): StagedFile[][] {
  const all: StagedFile[][] = [];
  let [some, bytes]: [StagedFile[], number] = [[], 0];
  for (const file of files) {
    if (some.length === 0 || bytes + file.size > portion) {
      [some, bytes] = [[], 0];
      all.push(some);
    }
    some.push(file);
    bytes += file.size;
  }
  return all;
}
