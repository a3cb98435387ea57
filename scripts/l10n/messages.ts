import ts from 'typescript';
import { placeOf } from './sourceProgram.ts';

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

/** Whether a call puts its first argument into the user's language. */
export function translates(call: ts.CallExpression, checker: ts.TypeChecker): boolean {
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
