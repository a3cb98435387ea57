import * as vscode from 'vscode';
import { attemptsText, type WebhookAttempt } from '../../model/service/webhookAttempt.ts';
import { t } from '../../model/text/l10n.ts';
import type { Sandbox } from './sandbox.ts';

const scheme = 'runhook-attempts';

/** Read-only documents of the attempts to deliver the webhook of a run. They grow while the sandbox tries. */
export interface AttemptDocuments {
  /** Opens the attempts of a run and returns them. @throws UserError if the sandbox is not running */
  open(runId: string): Promise<WebhookAttempt[]>;
  dispose(): void;
}

export function attemptDocuments(sandbox: Sandbox): AttemptDocuments {
  const changed = new vscode.EventEmitter<vscode.Uri>();
  const attemptsOf = (runId: string) => sandbox.ask('attempts', { runId });
  const provider = {
    onDidChange: changed.event,
    // Rejects if the sandbox has ended: the document then keeps its content.
    provideTextDocumentContent: async ({ query }: vscode.Uri) => attemptsText(query, await attemptsOf(query)),
  };
  const owned = vscode.Disposable.from(
    vscode.workspace.registerTextDocumentContentProvider(scheme, provider),
    sandbox.onDidAttempt(({ runId }) => changed.fire(uriOf(runId))),
    changed,
  );
  return {
    async open(runId) {
      const attempts = await attemptsOf(runId);
      const uri = uriOf(runId);
      changed.fire(uri);
      // Not a preview, so that the response it was opened from stays open.
      await vscode.window.showTextDocument(uri, { preview: false });
      return attempts;
    },
    dispose: () => void owned.dispose(),
  };
}

function uriOf(runId: string): vscode.Uri {
  // The end of an id distinguishes it from others.
  const end = runId.length > 12 ? `…${runId.slice(-8)}` : runId;
  const name = t('Attempts of {0}', end);
  return vscode.Uri.from({ scheme, path: `/${name.replaceAll('/', '∕')}`, query: runId });
}
