import ts from 'typescript';
import { locationOf, isTranslation } from '../../scripts/l10n/messages.ts';

/** Two words with a space between them, or one word as a sentence begins: what a person reads. */
const words = /\p{L}{2,}[,:;]? \(?\p{L}{2,}|^\p{Lu}\p{Ll}+(…|\.)?$/u;

/**
 * Texts of the sources that read like words for a person and are not translated, as `file text`. Left out
 * is what no person reads in the editor: the log, faults that end in it, types, and what a value is compared
 * with.
 */
export function rawStrings(sources: readonly ts.SourceFile[], checker: ts.TypeChecker): string[] {
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (isUnread(node, checker)) return;
    for (const text of textsOf(node)) {
      if (text === 'Runhook' || !words.test(text)) continue;
      const [firstLine = ''] = text.split('\n');
      found.push(`${locationOf(node).replace(/:\d+$/, '')} ${firstLine}`);
    }
    ts.forEachChild(node, visit);
  };
  for (const source of sources) visit(source);
  return found;
}

function textsOf(node: ts.Node): string[] {
  const text = textOf(node);
  if (text === undefined) return [];
  const isMarkup =
    ts.isTaggedTemplateExpression(node.parent) && /^(html|svg)$/.test(node.parent.tag.getText());
  return isMarkup ? readIn(text) : [text];
}

function textOf(node: ts.Node): string | undefined {
  if (ts.isStringLiteralLike(node)) return node.text;
  if (!ts.isTemplateExpression(node)) return undefined;
  return [node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)].join('{}');
}

/** What a person reads of a page's markup: what stands between its tags, and in some attributes of them. */
function readIn(markup: string): string[] {
  const attributes = [...markup.matchAll(/\b(?:label|title|placeholder)="([^"]*)"/g)];
  return [...markup.split(/<[^>]*>/), ...attributes.map(([, value = '']) => value)].map((text) =>
    text.trim(),
  );
}

/** Whether nothing below this node is for a person's eyes, or is translated already. */
function isUnread(node: ts.Node, checker: ts.TypeChecker): boolean {
  if (ts.isTypeNode(node) || ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return true;
  if (ts.isStringLiteral(node) && ts.isBinaryExpression(node.parent)) return isComparison(node.parent);
  if (ts.isNewExpression(node)) return /^(Error|TypeError|RangeError)$/.test(node.expression.getText());
  if (!ts.isCallExpression(node)) return false;
  return isTranslation(node, checker) || isLog(node);
}

function isComparison({ operatorToken: { kind } }: ts.BinaryExpression): boolean {
  return (
    kind === ts.SyntaxKind.EqualsEqualsEqualsToken || kind === ts.SyntaxKind.ExclamationEqualsEqualsToken
  );
}

/** `log.info(…)`, `this.#log.warn(…)`, `options.log.error(…)` */
function isLog({ expression }: ts.CallExpression): boolean {
  return ts.isPropertyAccessExpression(expression) && /\blog$/.test(expression.expression.getText());
}
