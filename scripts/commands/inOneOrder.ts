import type ts from 'typescript';

/** Types of a union by what they read as: the compiler has them in the order in which it met them, whoever asked before. */
export function inOneOrder(types: readonly ts.Type[], checker: ts.TypeChecker): ts.Type[] {
  return types
    .map((type) => ({ type, text: checker.typeToString(type) }))
    .sort((a, b) => (a.text < b.text ? -1 : 1))
    .map(({ type }) => type);
}
