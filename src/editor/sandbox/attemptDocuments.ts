import * as vscode from 'vscode';
import { attemptsText, type WebhookAttempt } from '../../model/service/webhookAttempt.ts';
import { t } from '../../model/text/l10n.ts';
import type { Sandbox } from './sandbox.ts';

const scheme = 'runhook-attempts';

/** Read-only documents of the attempts to deliver the webhook of a run. They grow while the sandbox tries. */
export class AttemptDocuments implements vscode.TextDocumentContentProvider, vscode.Disposable {
  readonly #sandbox: Sandbox;
  readonly #changed = new vscode.EventEmitter<vscode.Uri>();
  readonly onDidChange = this.#changed.event;
  readonly #registered: vscode.Disposable;

  constructor(sandbox: Sandbox) {
    this.#sandbox = sandbox;
    this.#registered = vscode.Disposable.from(
      vscode.workspace.registerTextDocumentContentProvider(scheme, this),
      sandbox.onDidAttempt((runId) => this.#changed.fire(uriOf(runId))),
      this.#changed,
    );
  }

  /** Opens those of a run, and gives them. @throws UserError where the sandbox is not running */
  async open(runId: string): Promise<WebhookAttempt[]> {
    const attempts = await this.#sandbox.ask('attempts', { runId });
    const uri = uriOf(runId);
    this.#changed.fire(uri);
    // The answer that it was opened from stays where it is.
    await vscode.window.showTextDocument(uri, { preview: false });
    return attempts;
  }

  /** Rejects where the sandbox has ended: what the document shows stays then. */
  async provideTextDocumentContent({ query }: vscode.Uri): Promise<string> {
    return attemptsText(query, await this.#sandbox.ask('attempts', { runId: query }));
  }

  dispose(): void {
    this.#registered.dispose();
  }
}

function uriOf(runId: string): vscode.Uri {
  // The end of an id tells it apart from others.
  const end = runId.length > 12 ? `…${runId.slice(-8)}` : runId;
  const name = t('Attempts of {0}', end);
  return vscode.Uri.from({ scheme, path: `/${name.replaceAll('/', '∕')}`, query: runId });
}
