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

/**
 * Every message that the sources have translated: given to `t` of model/text/l10n, or to `vscode.l10n.t`. A message
 * is read off the type of the argument, so that a choice between literals gives both of them.
 * @throws Error where a message is not known before the program runs, or is translated before the language is set
 */
export function collectMessages(sources: readonly ts.SourceFile[], checker: ts.TypeChecker): string[] {
  const messages = new Set<string>();
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && translates(node, checker)) {
      if (runsAtLoad(node)) {
        throw new Error(
          `${placeOf(node)}: while modules load, the language is not set: translate it at its use.`,
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
 * Whether a call puts its first argument into the user's language. Only calls by the name `t` are looked up, since the
 * checker takes seconds for all of them.
 */
export function translates(call: ts.CallExpression, checker: ts.TypeChecker): boolean {
  if (!/\bt$/.test(call.expression.getText())) return false;
  const declaration = checker.getResolvedSignature(call)?.declaration;
  return declaration !== undefined && ts.isFunctionDeclaration(declaration) && declaration.name?.text === 't';
}

/** Whether it runs while its module loads: no function is around it, and no property that an object begins with. */
function runsAtLoad(node: ts.Node): boolean {
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
  // An adapter hands on what others have given it.
  if (argument === undefined || ts.isSpreadElement(argument)) return [];
  const type = checker.getTypeAtLocation(argument);
  const literals = type.isUnion() ? type.types : [type];
  return literals.map((literal) => {
    if (literal.isStringLiteral()) return literal.value;
    throw new Error(`${placeOf(argument)}: a message has to be a string literal, to be translated.`);
  });
}
