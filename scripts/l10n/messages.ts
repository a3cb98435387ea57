import { globSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { root } from '../checkout.ts';

interface SourceProgram {
  sources: ts.SourceFile[];
  checker: ts.TypeChecker;
}

let cachedProgram: SourceProgram | undefined;

/**
 * A TypeScript program of all of src, to query types. It is not type-checked. Cached, because creating it takes seconds.
 */
export function sourceProgram(): SourceProgram {
  cachedProgram ??= createSourceProgram();
  return cachedProgram;
}

function createSourceProgram(): SourceProgram {
  const config = ts.getParsedCommandLineOfConfigFile(join(root, 'tsconfig.json'), undefined, {
    ...ts.sys,
    onUnRecoverableConfigFileDiagnostic: (problem) => {
      throw new Error(ts.flattenDiagnosticMessageText(problem.messageText, '\n'));
    },
  });
  const files = globSync('src/**/*.ts', { cwd: root }).map((file) => join(root, file));
  const program = ts.createProgram(files, {
    ...config?.options,
    // One program for both Node and page code needs the types of both.
    lib: ['lib.es2024.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'],
  });
  const ours = new Set(files);
  return {
    sources: program.getSourceFiles().filter(({ fileName }) => ours.has(fileName)),
    checker: program.getTypeChecker(),
  };
}

/** The file and line of a node: `src/editor/kit/log.ts:7`. */
export function locationOf(node: ts.Node): string {
  const source = node.getSourceFile();
  const { line } = source.getLineAndCharacterOfPosition(node.getStart(source));
  return `${source.fileName.slice(root.length)}:${line + 1}`;
}

/**
 * All messages in the sources: the first arguments of `t` of shared/text/l10n and of `vscode.l10n.t`. They are taken from
 * the argument's type, so that `isOne ? 'a' : 'b'` yields both messages.
 * @throws Error if a message is not a literal, or is translated while a module loads, before the language is set
 */
export function collectMessages(sources: readonly ts.SourceFile[], checker: ts.TypeChecker): string[] {
  const messages = new Set<string>();
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && isTranslation(node, checker)) {
      if (runsOnModuleLoad(node)) {
        throw new Error(
          `${locationOf(node)}: while modules load, the language is not set: translate it at its use.`,
        );
      }
      for (const message of messagesOf(node, checker)) messages.add(message);
    }
    ts.forEachChild(node, visit);
  };
  for (const source of sources) visit(source);
  return [...messages].sort();
}

/**
 * Whether a call translates its first argument. Only calls by the name `t` are checked, since the checker takes
 * seconds for all of them.
 */
export function isTranslation(call: ts.CallExpression, checker: ts.TypeChecker): boolean {
  if (!/\bt$/.test(call.expression.getText())) return false;
  const declaration = checker.getResolvedSignature(call)?.declaration;
  return declaration !== undefined && ts.isFunctionDeclaration(declaration) && declaration.name?.text === 't';
}

/** Whether a node is evaluated when its module loads: it is in no function and no instance field. */
function runsOnModuleLoad(node: ts.Node): boolean {
  for (let { parent } = node; !ts.isSourceFile(parent); parent = parent.parent) {
    if (ts.isFunctionLike(parent)) return false;
    if (
      ts.isPropertyDeclaration(parent) &&
      (ts.getCombinedModifierFlags(parent) & ts.ModifierFlags.Static) === 0
    )
      return false;
  }
  return true;
}

function messagesOf(call: ts.CallExpression, checker: ts.TypeChecker): string[] {
  const [argument] = call.arguments;
  // `t(...args)` in an adapter passes on messages of its callers.
  if (argument === undefined || ts.isSpreadElement(argument)) return [];
  const type = checker.getTypeAtLocation(argument);
  const literals = type.isUnion() ? type.types : [type];
  return literals.map((literal) => {
    if (literal.isStringLiteral()) return literal.value;
    throw new Error(`${locationOf(argument)}: a message has to be a string literal, to be translated.`);
  });
}
