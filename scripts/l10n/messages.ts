import ts from 'typescript';
import { placeOf } from './sourceProgram.ts';

/**
 * Every message that the sources have translated: given to `vscode.l10n.t`, or to whatever has the type
 * `Translate`, under any name. A message is read off the type of the argument, so that a choice between
 * literals gives both of them.
 * @throws Error where a message is not known before the program runs
 */
export function collectMessages(sources: readonly ts.SourceFile[], checker: ts.TypeChecker): string[] {
  const messages = new Set<string>();
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && translates(node, checker)) {
      for (const message of messagesOf(node, checker)) messages.add(message);
    }
    ts.forEachChild(node, visit);
  };
  for (const source of sources) if (!source.fileName.endsWith('/model/text/translate.ts')) visit(source);
  return [...messages].sort();
}

/** Whether a call puts its first argument into the user's language. */
export function translates(call: ts.CallExpression, checker: ts.TypeChecker): boolean {
  const declaration = checker.getResolvedSignature(call)?.declaration;
  if (declaration === undefined) return false;
  if (ts.isFunctionTypeNode(declaration)) {
    return ts.isTypeAliasDeclaration(declaration.parent) && declaration.parent.name.text === 'Translate';
  }
  return (
    ts.isFunctionDeclaration(declaration) &&
    declaration.name?.text === 't' &&
    ts.isModuleBlock(declaration.parent) &&
    declaration.parent.parent.name.text === 'l10n'
  );
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
