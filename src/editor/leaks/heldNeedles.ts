import * as vscode from 'vscode';
import type { LeakNeedles } from '../../model/keys/tokenLeaks.ts';
import { loadOnce } from '../../model/async/loadOnce.ts';

/** Where the needles come from. */
export interface NeedleSources {
  projects: { all(): readonly { id: string }[] };
  tokens: { values(): Promise<string[]>; readonly onDidChange: vscode.Event<void> };
  secrets: { store(): Promise<{ verifying(): Promise<string[]> }>; readonly onDidChange: vscode.Event<void> };
}

/** The tokens and secrets that are looked for in files. They are compared in memory and go nowhere. */
export class HeldNeedles implements vscode.Disposable {
  readonly #sources: NeedleSources;
  readonly #tokens;
  readonly #changed = new vscode.EventEmitter<void>();
  readonly #subscription: vscode.Disposable;
  readonly onDidChange = this.#changed.event;

  constructor(sources: NeedleSources) {
    const { tokens, secrets } = sources;
    this.#sources = sources;
    this.#tokens = loadOnce(() => tokens.values());
    const change = () => {
      void this.#tokens.forget();
      this.#changed.fire();
    };
    this.#subscription = vscode.Disposable.from(tokens.onDidChange(change), secrets.onDidChange(change));
  }

  /** @throws if the secret store cannot be read */
  async read(): Promise<LeakNeedles> {
    const { projects, secrets } = this.#sources;
    const [tokens, store] = await Promise.all([this.#tokens(), secrets.store()]);
    const webhookSecrets = await store.verifying();
    return { tokens, webhookSecrets, projectIds: projects.all().map(({ id }) => id) };
  }

  dispose(): void {
    this.#subscription.dispose();
    this.#changed.dispose();
  }
}
