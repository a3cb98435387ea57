import * as vscode from 'vscode';
import { ignoredByGit } from '../../leaks/git.ts';

interface GitRepository {
  readonly rootUri: vscode.Uri;
}

/** The part of the API of VS Code's own Git extension that is used here (see its `api/git.d.ts`). */
interface GitApi {
  readonly git: { readonly path: string };
  readonly repositories: readonly GitRepository[];
  readonly onDidOpenRepository: vscode.Event<GitRepository>;
  readonly onDidCloseRepository: vscode.Event<GitRepository>;
}

interface GitExtension {
  readonly enabled: boolean;
  readonly onDidChangeEnablement: vscode.Event<boolean>;
  /** Throws while the extension is switched off. */
  getAPI(version: 1): GitApi;
}

/** What is known of git: the path of its program, and the folders of the repositories that are open. */
export interface KnownGit {
  program: string;
  repositories: readonly string[];
}

/**
 * Git, through VS Code's own Git extension: it knows which git to run, and that none may be run in a workspace that
 * is not trusted.
 */
export class EditorGit implements vscode.Disposable {
  readonly #changed = new vscode.EventEmitter<void>();
  #extension: GitExtension | undefined;
  #api: GitApi | undefined;
  // The Git extension is not available while the workspace is not trusted.
  readonly #subscriptions = [this.#changed, vscode.extensions.onDidChange(() => this.#changed.fire())];
  /** Fires when a repository or the Git extension comes or goes: other files may be ignored now. */
  readonly onDidChange = this.#changed.event;

  /**
   * Whether git ignores a file; false if it cannot be asked. The editor need not have the repository open: it does
   * not open one in a parent folder, for example.
   */
  async ignores(uri: vscode.Uri): Promise<boolean> {
    const git = await this.known();
    return git !== undefined && (await ignoredByGit(git.program, uri.fsPath)) === 'ignored';
  }

  /** Undefined if there is no git or it may not be run. */
  async known(): Promise<KnownGit | undefined> {
    const api = vscode.workspace.isTrusted ? await this.#getApi() : undefined;
    return (
      api && { program: api.git.path, repositories: api.repositories.map(({ rootUri }) => rootUri.fsPath) }
    );
  }

  dispose(): void {
    for (const subscription of this.#subscriptions) subscription.dispose();
  }

  async #getApi(): Promise<GitApi | undefined> {
    const git = await vscode.extensions.getExtension<GitExtension>('vscode.git')?.activate();
    const changed = () => this.#changed.fire();
    if (git !== this.#extension) {
      this.#extension = git;
      const changes = git?.onDidChangeEnablement(() => {
        // The extension has a new API object when it is enabled again.
        this.#api = undefined;
        changed();
      });
      if (changes !== undefined) this.#subscriptions.push(changes);
    }
    if (git?.enabled !== true) return undefined;
    if (this.#api === undefined) {
      this.#api = git.getAPI(1);
      this.#subscriptions.push(
        this.#api.onDidOpenRepository(changed),
        this.#api.onDidCloseRepository(changed),
      );
    }
    return this.#api;
  }
}
