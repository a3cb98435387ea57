import { globSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { root } from '../checkout.ts';

interface SourceProgram {
  sources: ts.SourceFile[];
  checker: ts.TypeChecker;
}

let made: SourceProgram | undefined;

/**
 * All of src as one program of the TypeScript compiler, to be asked about types; it is not checked here. Made
 * once, for it takes seconds.
 */
export function sourceProgram(): SourceProgram {
  made ??= makeProgram();
  return made;
}

function makeProgram(): SourceProgram {
  const config = ts.getParsedCommandLineOfConfigFile(join(root, 'tsconfig.json'), undefined, {
    ...ts.sys,
    onUnRecoverableConfigFileDiagnostic: (problem) => {
      throw new Error(ts.flattenDiagnosticMessageText(problem.messageText, '\n'));
    },
  });
  const files = globSync('src/**/*.ts', { cwd: root }).map((file) => join(root, file));
  const program = ts.createProgram(files, {
    ...config?.options,
    // The form runs in a page, the rest does not; here one program is enough for both.
    lib: ['lib.es2024.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'],
  });
  const ours = new Set(files);
  return {
    sources: program.getSourceFiles().filter(({ fileName }) => ours.has(fileName)),
    checker: program.getTypeChecker(),
  };
}

/** Where a node stands: `src/editor/log.ts:7`. */
export function placeOf(node: ts.Node): string {
  const source = node.getSourceFile();
  const { line } = source.getLineAndCharacterOfPosition(node.getStart(source));
  return `${source.fileName.slice(root.length)}:${line + 1}`;
}
