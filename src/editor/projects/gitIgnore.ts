import * as vscode from 'vscode';
import { loadOnce } from '../loadOnce.ts';

/** As much of the API of VS Code's own Git extension as is used here (its `api/git.d.ts`). */
interface GitApi {
  getRepository(uri: vscode.Uri): { checkIgnore(paths: string[]): Promise<Set<string>> } | null;
  readonly onDidOpenRepository: vscode.Event<unknown>;
}

interface GitExtension {
  readonly enabled: boolean;
  readonly onDidChangeEnablement: vscode.Event<boolean>;
  /** Throws while the extension is switched off. */
  getAPI(version: 1): GitApi;
}

/**
 * What git ignores, by VS Code's own Git extension: it knows which git to run, and that none may be run in a
 * workspace that is not trusted.
 */
export class GitIgnore implements vscode.Disposable {
  readonly #changed = new vscode.EventEmitter<void>();
  readonly #extension = loadOnce(() => this.#activate());
  #api: GitApi | undefined;
  readonly #subscriptions: vscode.Disposable[] = [];
  /** A repository was opened: what was not ignored may be now. */
  readonly onDidChange = this.#changed.event;

  /** Whether git ignores a file; not so where there is no git, or no repository. */
  async ignores(uri: vscode.Uri): Promise<boolean> {
    const repository = this.#getApi(await this.#extension())?.getRepository(uri);
    if (!repository) return false;
    return (await repository.checkIgnore([uri.fsPath])).size > 0;
  }

  dispose(): void {
    for (const subscription of this.#subscriptions) subscription.dispose();
    this.#changed.dispose();
  }

  async #activate(): Promise<GitExtension | undefined> {
    const git = await vscode.extensions.getExtension<GitExtension>('vscode.git')?.activate();
    if (git !== undefined) {
      this.#subscriptions.push(git.onDidChangeEnablement(() => this.#changed.fire()));
    }
    return git;
  }

  #getApi(git: GitExtension | undefined): GitApi | undefined {
    if (git?.enabled !== true) return undefined;
    if (this.#api === undefined) {
      this.#api = git.getAPI(1);
      this.#subscriptions.push(this.#api.onDidOpenRepository(() => this.#changed.fire()));
    }
    return this.#api;
  }
}
