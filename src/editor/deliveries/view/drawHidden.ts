import * as vscode from 'vscode';
import { t } from '../../../model/text/l10n.ts';
import type { Explanation } from '../../../webhooks/explanation/explanation.ts';
import { UserError } from '../../../model/text/userError.ts';

/**
 * Draws what an explanation leaves out over its document.
 * @throws UserError where the document does not hold it any more
 */
export function drawHidden(
  editor: vscode.TextEditor,
  { text, hidden }: Explanation,
  drawn: vscode.TextEditorDecorationType,
): void {
  // guard: what is drawn belongs to the text under it
  if (editor.document.getText() !== text) {
    throw new UserError(t('A secret or the delivery has changed since. Explain the delivery once more.'));
  }
  const word = t('hidden');
  const decorations = hidden.map(({ line, signature }) => {
    const { end } = editor.document.lineAt(line).range;
    return {
      range: new vscode.Range(end.translate(0, -word.length), end),
      hoverMessage: new vscode.MarkdownString().appendCodeblock(signature, 'text'),
      renderOptions: { before: { contentText: signature } },
    };
  });
  editor.setDecorations(drawn, decorations);
}
