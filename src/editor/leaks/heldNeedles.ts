import * as vscode from 'vscode';
import type { LeakNeedles } from '../../model/keys/tokenLeaks.ts';
import { loadOnce } from '../../model/async/loadOnce.ts';

/** Where the needles come from. */
export interface NeedleSources {
  projects: { all(): { id: string }[] };
  tokens: { values(): Promise<string[]>; readonly onDidChange: vscode.Event<void> };
  secrets: { store(): Promise<{ verifying(): Promise<string[]> }>; readonly onDidChange: vscode.Event<void> };
}

/** What is looked for in files. It is compared with in memory, and goes nowhere. */
export class HeldNeedles implements vscode.Disposable {
  readonly #projects: NeedleSources['projects'];
  readonly #tokens;
  readonly #secrets: NeedleSources['secrets'];
  readonly #changed = new vscode.EventEmitter<void>();
  readonly #subscription: vscode.Disposable;
  readonly onDidChange = this.#changed.event;

  constructor({ projects, tokens, secrets }: NeedleSources) {
    this.#projects = projects;
    this.#tokens = loadOnce(() => tokens.values());
    this.#secrets = secrets;
    this.#subscription = vscode.Disposable.from(
      tokens.onDidChange(() => {
        void this.#tokens.forget();
        this.#changed.fire();
      }),
      secrets.onDidChange(() => this.#changed.fire()),
    );
  }

  /** @throws where the secret store cannot be read */
  async read(): Promise<LeakNeedles> {
    const store = this.#secrets.store();
    const [tokens, webhookSecrets] = await Promise.all([
      this.#tokens(),
      store.then((secrets) => secrets.verifying()),
    ]);
    return { tokens, webhookSecrets, projectIds: this.#projects.all().map(({ id }) => id) };
  }

  dispose(): void {
    this.#subscription.dispose();
    this.#changed.dispose();
  }
}
