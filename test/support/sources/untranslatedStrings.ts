import ts from 'typescript';
import { locationOf, isTranslation } from '../../../scripts/l10n/messages.ts';

/** Matches text for people: two words with a space between them, or one capitalized word. */
const words = /\p{L}{2,}[,:;]? \(?\p{L}{2,}|^\p{Lu}\p{Ll}+(…|\.)?$/u;

/**
 * Texts in the sources that look like UI texts and are not translated, as `file text`. Excludes texts that users do not
 * see: arguments of the log, messages of internal errors, types, and comparisons.
 */
export function untranslatedStrings(sources: readonly ts.SourceFile[], checker: ts.TypeChecker): string[] {
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (isInvisible(node, checker)) return;
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
  return isMarkup ? visibleTexts(text) : [text];
}

function textOf(node: ts.Node): string | undefined {
  if (ts.isStringLiteralLike(node)) return node.text;
  if (!ts.isTemplateExpression(node)) return undefined;
  return [node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)].join('{}');
}

/** The visible texts in HTML: between tags, and in some attributes. */
function visibleTexts(markup: string): string[] {
  const attributes = [...markup.matchAll(/\b(?:label|title|placeholder)="([^"]*)"/g)];
  return [...markup.split(/<[^>]*>/), ...attributes.map(([, value = '']) => value)].map((text) =>
    text.trim(),
  );
}

/** Whether no text below this node is visible to users, or it is translated. */
function isInvisible(node: ts.Node, checker: ts.TypeChecker): boolean {
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
