import { globSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import ts from 'typescript';
import { root } from '../../../scripts/checkout.ts';

/** The imports of a module, including type imports and dynamic ones: our files by path, packages by name. */
export interface Imports {
  files: ReadonlySet<string>;
  packages: ReadonlySet<string>;
}

/** The imports of all modules of src. */
export function importGraph(): ReadonlyMap<string, Imports> {
  const paths = globSync('src/**/*.ts', { cwd: root }).map((path) => path.replaceAll('\\', '/'));
  return new Map(paths.map((path) => [path, importsIn(path, readFileSync(join(root, path), 'utf8'))]));
}

/** The imports in the code of a module. @param path of the module, to resolve relative imports */
export function importsIn(path: string, code: string): Imports {
  const specifiers = new Set<string>();
  const visit = (node: ts.Node): void => {
    const specifier = specifierOf(node);
    if (specifier !== undefined && ts.isStringLiteralLike(specifier)) specifiers.add(specifier.text);
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(path, code, ts.ScriptTarget.ES2024));
  const own = [...specifiers].filter((one) => one.startsWith('.'));
  return {
    files: new Set(own.map((one) => posix.join(posix.dirname(path), one))),
    packages: new Set([...specifiers].filter((one) => !own.includes(one))),
  };
}

function specifierOf(node: ts.Node): ts.Node | undefined {
  if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return node.moduleSpecifier;
  if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword)
    return node.arguments[0];
  return ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument) ? node.argument.literal : undefined;
}
