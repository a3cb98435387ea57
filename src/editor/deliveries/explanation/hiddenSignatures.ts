import * as vscode from 'vscode';
import { t } from '../../../model/text/l10n.ts';
import { UserError } from '../../../model/text/userError.ts';
import type { Explanation } from '../../../webhooks/explanation/explanation.ts';
import { commandIds, schemes } from '../../ids.ts';
import { shownIn } from '../deliveryUri.ts';
import type { Explainer } from './explainer.ts';

/**
 * The signatures that an explanation leaves out. They are drawn over its document when somebody asks for them: they
 * are on the screen then, and not in the text, which is copied, saved, and read by other extensions and by models.
 */
export class HiddenSignatures implements vscode.CodeLensProvider, vscode.Disposable {
  readonly #explainer: Explainer;
  /** Of requests that were pasted: their documents are not made anew when they are read. */
  readonly #ofPasted = new WeakMap<vscode.TextDocument, Explanation>();
  readonly #drawn = vscode.window.createTextEditorDecorationType({ opacity: '0', letterSpacing: '-1ch' });
  readonly #changed = new vscode.EventEmitter<void>();
  readonly onDidChangeCodeLenses = this.#changed.event;
  readonly #subscriptions: readonly { dispose(): unknown }[];

  constructor(explainer: Explainer) {
    this.#explainer = explainer;
    const documents = [{ scheme: schemes.delivery, pattern: '**/explanation/*' }, { scheme: 'untitled' }];
    this.#subscriptions = [
      this.#drawn,
      this.#changed,
      vscode.languages.registerCodeLensProvider(documents, this),
    ];
  }

  /** Tells what is left out of the text of a document that was opened for it. */
  note(document: vscode.TextDocument, explanation: Explanation): void {
    this.#ofPasted.set(document, explanation);
    this.#changed.fire();
  }

  async provideCodeLenses(document: vscode.TextDocument): Promise<vscode.CodeLens[]> {
    const [first] = (await this.#explanationOf(document))?.hidden ?? [];
    if (first === undefined) return [];
    const command = {
      command: commandIds.showExpectedSignature,
      title: `$(eye) ${t('Show Expected Signature')}`,
      tooltip: t('Shown on your screen only: the text of the document does not change.'),
      arguments: [{ document: document.uri.toString() }],
    };
    return [new vscode.CodeLens(new vscode.Range(first.line, 0, first.line, 0), command)];
  }

  /**
   * Draws what is left out of the explanation in an editor until it is closed or another one takes its place.
   * @param uri of the document; that of the active editor where absent
   */
  async show(uri: string | undefined): Promise<void> {
    const { activeTextEditor, visibleTextEditors } = vscode.window;
    const editor =
      uri === undefined
        ? activeTextEditor
        : visibleTextEditors.find(({ document }) => document.uri.toString() === uri);
    const explanation = editor && (await this.#explanationOf(editor.document));
    if (editor === undefined || explanation === undefined) {
      throw new UserError(t('Open the explanation of a delivery first.'));
    }
    // guard: what is drawn belongs to the text under it
    if (editor.document.getText() !== explanation.text) {
      throw new UserError(t('A secret or the delivery has changed since. Explain the delivery once more.'));
    }
    const word = t('hidden');
    const decorations = explanation.hidden.map(({ line, signature }) => {
      const { end } = editor.document.lineAt(line).range;
      return {
        range: new vscode.Range(end.translate(0, -word.length), end),
        hoverMessage: new vscode.MarkdownString().appendCodeblock(signature, 'text'),
        renderOptions: { before: { contentText: signature } },
      };
    });
    editor.setDecorations(this.#drawn, decorations);
  }

  dispose(): void {
    for (const one of this.#subscriptions) one.dispose();
  }

  /** Undefined where the document is not an explanation. */
  async #explanationOf(document: vscode.TextDocument): Promise<Explanation | undefined> {
    const shown = shownIn(document.uri);
    return shown?.part === 'explanation' ? this.#explainer.delivery(shown.id) : this.#ofPasted.get(document);
  }
}
