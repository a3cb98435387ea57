import * as vscode from 'vscode';
import { findTokenLeaks, type TokenLeak } from '../../model/tokenLeaks.ts';
import { loadOnce, type LoadedOnce } from '../loadOnce.ts';
import type { Log } from '../log.ts';
import type { GitIgnore } from './gitIgnore.ts';
import type { Projects } from './projects.ts';
import type { Tokens } from './tokens.ts';

/** The code of the diagnostic on a token in a file. */
export const tokenLeakCode = 'token-in-file';

/** Longer files are no place where somebody pasted a token. */
const longestText = 1_000_000;

/**
 * Warns of a token in a file of the workspace that git does not ignore, when the file is opened or saved. The
 * comparison happens in memory; nothing of the file leaves this machine.
 */
export class TokenLeakWatch implements vscode.Disposable {
  readonly #projects: Projects;
  readonly #git: Pick<GitIgnore, 'ignores' | 'onDidChange'>;
  readonly #log: Log;
  readonly #diagnostics = vscode.languages.createDiagnosticCollection('runhook');
  readonly #subscriptions: vscode.Disposable;
  readonly #values: LoadedOnce<string[]>;

  constructor(projects: Projects, tokens: Tokens, git: Pick<GitIgnore, 'ignores' | 'onDidChange'>, log: Log) {
    this.#projects = projects;
    this.#values = loadOnce(() => tokens.values());
    this.#git = git;
    this.#log = log;
    const check = (document: vscode.TextDocument) => this.#checkSoon(document);
    const checkAll = () => vscode.workspace.textDocuments.forEach(check);
    this.#subscriptions = vscode.Disposable.from(
      vscode.workspace.onDidOpenTextDocument(check),
      vscode.workspace.onDidSaveTextDocument(check),
      // Only to take a warning back: nobody is to be warned of what they are typing.
      vscode.workspace.onDidChangeTextDocument(({ document }) => {
        if (this.#diagnostics.has(document.uri)) check(document);
      }),
      vscode.workspace.onDidCloseTextDocument(({ uri }) => this.#diagnostics.delete(uri)),
      git.onDidChange(checkAll),
      tokens.onDidChange(() => {
        void this.#values.forget();
        checkAll();
      }),
    );
    checkAll();
  }

  dispose(): void {
    this.#subscriptions.dispose();
    this.#diagnostics.dispose();
  }

  #checkSoon(document: vscode.TextDocument): void {
    this.#check(document).catch((error: unknown) => this.#log.warn(`Looking for tokens: ${String(error)}`));
  }

  async #check(document: vscode.TextDocument): Promise<void> {
    const { uri } = document;
    if (uri.scheme !== 'file' || vscode.workspace.getWorkspaceFolder(uri) === undefined) return;
    const isExposed = (await this.#leaks(document)).length > 0 && !(await this.#git.ignores(uri));
    // Git takes its time: the text may be another one by now, and so may the tokens.
    const leaks = isExposed ? await this.#leaks(document) : [];
    if (leaks.length === 0 || document.isClosed) {
      this.#diagnostics.delete(uri);
    } else {
      this.#diagnostics.set(
        uri,
        leaks.map((leak) => diagnostic(document, leak)),
      );
    }
  }

  async #leaks(document: vscode.TextDocument): Promise<TokenLeak[]> {
    const values = await this.#values();
    const text = document.getText();
    if (text.length > longestText) return [];
    return findTokenLeaks(
      text,
      values,
      this.#projects.all().map(({ id }) => id),
    );
  }
}

function diagnostic(document: vscode.TextDocument, leak: TokenLeak): vscode.Diagnostic {
  const found = new vscode.Diagnostic(
    new vscode.Range(document.positionAt(leak.start), document.positionAt(leak.end)),
    vscode.l10n.t(
      'This is a token of a service account, and git does not ignore this file. Move it to the secret store before it is committed.',
    ),
    vscode.DiagnosticSeverity.Warning,
  );
  found.source = 'Runhook';
  found.code = tokenLeakCode;
  return found;
}
