import ts from 'typescript';

/** A program of one file that is on no disk. */
export function programOf(code: string): { source: ts.SourceFile; checker: ts.TypeChecker } {
  const name = '/sample.ts';
  const options: ts.CompilerOptions = { target: ts.ScriptTarget.ES2024, strict: true, types: [] };
  const host = ts.createCompilerHost(options);
  const read = host.getSourceFile.bind(host);
  host.getSourceFile = (file, ...rest) =>
    file === name ? ts.createSourceFile(file, code, ts.ScriptTarget.ES2024, true) : read(file, ...rest);
  const program = ts.createProgram([name], options, host);
  return { source: program.getSourceFile(name)!, checker: program.getTypeChecker() };
}
