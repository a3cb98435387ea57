import * as vscode from 'vscode';
import { t } from '../../model/text/l10n.ts';
import { plainText } from '../../model/text/plainText.ts';
import { findTokenLeaks } from '../../model/keys/tokenLeaks.ts';
import { placeFinder } from '../../model/text/textPlace.ts';
import type { Log } from '../log.ts';
import type { EditorGit, GitRepository, KnownGit } from './editorGit.ts';
import type { HeldNeedles } from './heldNeedles.ts';
import type { LeakPlace } from '../../leaks/leakSearch.ts';
import { type StagedFile, stagedFiles, stagedTexts } from '../../leaks/stagedFiles.ts';

export interface StagedWatchOptions {
  git: Pick<EditorGit, 'known' | 'onDidChange'>;
  needles: Pick<HeldNeedles, 'read' | 'onDidChange'>;
  /** Shows a warning; gives the button that was clicked. */
  tell: (message: string, ...buttons: string[]) => Thenable<string | undefined>;
  log: Log;
}

interface StagedLeak extends LeakPlace {
  path: string;
}

/**
 * Warns of a token or webhook secret in staged files before they are committed, once per file and token. Git is asked
 * only when something changes, and for one repository at a time.
 */
export class StagedWatch implements vscode.Disposable {
  readonly #options: StagedWatchOptions;
  readonly #subscription: vscode.Disposable;
  /** The open repositories, by the URI of their root. */
  readonly #repositories = new Map<string, { repository: GitRepository; changes: vscode.Disposable }>();
  /** The staged files that were checked, by path and content. */
  readonly #seen = new Set<string>();
  /** The leaks that were warned of, by path and token; in memory only. */
  readonly #warned = new Set<string>();
  readonly #pending = new Map<string, GitRepository>();
  #isChecking = false;
  #isDisposed = false;

  constructor(options: StagedWatchOptions) {
    this.#options = options;
    this.#subscription = vscode.Disposable.from(
      options.git.onDidChange(() => this.#followSoon()),
      options.needles.onDidChange(() => {
        this.#seen.clear();
        for (const [address, { repository }] of this.#repositories) this.#checkSoon(address, repository);
      }),
    );
    this.#followSoon();
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#subscription.dispose();
    this.#unsubscribe();
    this.#pending.clear();
  }

  #unsubscribe(): void {
    for (const { changes } of this.#repositories.values()) changes.dispose();
    this.#repositories.clear();
  }

  #followSoon(): void {
    this.#follow().catch((error: unknown) => this.#failed(error));
  }

  /** Subscribes to the repositories that are open now, and ends the subscriptions of the others. */
  async #follow(): Promise<void> {
    const repositories = (await this.#options.git.known())?.repositories ?? [];
    if (this.#isDisposed) return;
    this.#unsubscribe();
    for (const repository of repositories) {
      const address = repository.rootUri.toString();
      const check = () => this.#checkSoon(address, repository);
      this.#repositories.set(address, { repository, changes: repository.state.onDidChange(check) });
      check();
    }
  }

  #checkSoon(address: string, repository: GitRepository): void {
    if (repository.state.indexChanges.length === 0) return;
    this.#pending.set(address, repository);
    if (!this.#isChecking) void this.#checkPending();
  }

  async #checkPending(): Promise<void> {
    this.#isChecking = true;
    for (const [address, repository] of this.#pending) {
      this.#pending.delete(address);
      try {
        const git = await this.#options.git.known();
        // guard: what is staged is looked at before it is committed
        if (git !== undefined) this.#warn(await this.#newLeaks(git, repository));
      } catch (error) {
        this.#failed(error);
      }
    }
    this.#isChecking = false;
  }

  /** The leaks in staged files that were not warned of yet. */
  async #newLeaks({ program }: KnownGit, { rootUri, state }: GitRepository): Promise<StagedLeak[]> {
    const needles = await this.#options.needles.read();
    if (needles.tokens.length + needles.webhookSecrets.length + needles.projectIds.length === 0) return [];
    const [root, paths] = [rootUri.fsPath, state.indexChanges.map(({ uri }) => uri.fsPath)];
    const idOf = ({ path, object }: StagedFile) => `${path}\n${object}`;
    const staged = await stagedFiles(program, root, paths);
    const unseen = staged.filter((file) => !this.#seen.has(idOf(file)));
    const found = new Map<string, StagedLeak>();
    for await (const { file, text } of stagedTexts(program, root, unseen)) {
      const placeOf = placeFinder(text);
      for (const { kind, start, end } of findTokenLeaks(text, needles)) {
        const id = `${file.path}\n${text.slice(start, end)}`;
        if (this.#warned.has(id) || found.has(id)) continue;
        found.set(id, { path: file.path, kind, start: placeOf(start), end: placeOf(end) });
      }
    }
    // Only now: after a failure on the way the next check finds all of them again.
    for (const file of unseen) this.#seen.add(idOf(file));
    for (const id of found.keys()) this.#warned.add(id);
    return [...found.values()];
  }

  #warn(leaks: readonly StagedLeak[]): void {
    const [first] = leaks;
    if (first === undefined) return;
    const show = t('Show');
    this.#options.tell(stagedText(first, leaks), show).then(
      async (answer) => {
        if (answer !== show) return;
        const { path, start, end } = first;
        const selection = new vscode.Range(start.line, start.character, end.line, end.character);
        await vscode.window.showTextDocument(vscode.Uri.file(path), { selection });
      },
      (error: unknown) => this.#failed(error),
    );
  }

  #failed(error: unknown): void {
    this.#options.log.warn(`Looking for tokens in what is staged: ${String(error)}`);
  }
}

function stagedText(first: StagedLeak, leaks: readonly StagedLeak[]): string {
  const file = plainText(vscode.workspace.asRelativePath(first.path));
  const files = new Set(leaks.map(({ path }) => path)).size;
  if (files > 1) {
    return t(
      'The next commit would hold tokens or webhook secrets, in {0} files: {1} is one of them.',
      files,
      file,
    );
  }
  return first.kind === 'token'
    ? t(
        'The next commit would hold a token of a service account, in {0}. Move it to the secret store and stage the file again.',
        file,
      )
    : t(
        'The next commit would hold a webhook secret, in {0}. Read it from an environment variable and stage the file again.',
        file,
      );
}
