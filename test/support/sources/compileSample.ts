import ts from 'typescript';

const name = '/sample.ts';
const options: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2024,
  lib: ['lib.es2024.d.ts'],
  strict: true,
  types: [],
};
const host = ts.createCompilerHost(options);
const readLibraryFile = host.getSourceFile.bind(host);

/** The parsed files of TypeScript's standard library. */
const library = new Map<string, ts.SourceFile | undefined>();

/** Creates a TypeScript program from the code of one file. */
export function compileSample(code: string): { source: ts.SourceFile; checker: ts.TypeChecker } {
  host.getSourceFile = (file, ...rest) => {
    if (file === name) return ts.createSourceFile(file, code, ts.ScriptTarget.ES2024, true);
    if (!library.has(file)) library.set(file, readLibraryFile(file, ...rest));
    return library.get(file);
  };
  const program = ts.createProgram([name], options, host);
  return { source: program.getSourceFile(name)!, checker: program.getTypeChecker() };
}
