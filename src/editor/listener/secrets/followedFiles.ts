import * as vscode from 'vscode';
import type { SecretScope } from '../../../model/secrets/webhookSecret.ts';
import { Turns } from '../../../model/async/turns.ts';
import { t } from '../../../model/text/l10n.ts';
import { UserError } from '../../../model/text/userError.ts';
import { commandIds } from '../../ids.ts';
import { type Log, logError } from '../../log.ts';
import { rewriteEnvFile, writeEnvFile } from './envFile.ts';
import type { WebhookSecrets } from './webhookSecrets.ts';

/** Workspace-state key of the files that are rewritten when the secret is rotated. */
const followedKey = 'secrets.envFiles';

/** A file that is rewritten whenever the secret changes. */
export interface FollowedFile extends SecretScope {
  uri: string;
  variable: string;
}

interface Services {
  memento: vscode.Memento;
  secrets: Pick<WebhookSecrets, 'store'>;
  gitProgram: () => Promise<string | undefined>;
  log: Log;
}

/** The `.env` files of this workspace that have the webhook secret. Remembers their paths, not the secret. */
export class FollowedFiles {
  readonly #services: Services;
  readonly #turns = new Turns();

  constructor(services: Services) {
    this.#services = services;
  }

  /**
   * Writes a file.
   * @param follows whether the file is rewritten whenever the secret changes
   * @returns whether git ignores the file
   */
  write(file: FollowedFile, secret: string, follows: boolean): Promise<boolean> {
    return this.#turns.next(async () => {
      const { uri: to, variable: named } = file;
      const isIgnored = await writeEnvFile(
        vscode.Uri.parse(to),
        { variable: named, secret },
        await this.#services.gitProgram(),
      );
      const others = this.#all().filter(
        ({ uri, variable }) => uri !== file.uri || variable !== file.variable,
      );
      await this.#remember(follows ? [...others, file] : others);
      return isIgnored;
    });
  }

  /** Rewrites all files. Warns of one that cannot be written and continues; forgets one that is gone. */
  follow(): Promise<void> {
    return this.#turns.next(async () => {
      // guard: nothing is written while the workspace is not trusted
      if (!vscode.workspace.isTrusted) return;
      const kept: FollowedFile[] = [];
      for (const file of this.#all()) {
        const found = await (await this.#services.secrets.store()).find(file);
        if (found === undefined || (await this.#rewrite(file, found.secret))) kept.push(file);
      }
      if (kept.length < this.#all().length) await this.#remember(kept);
    });
  }

  /** @returns whether to rewrite the file the next time too */
  async #rewrite({ uri, variable }: FollowedFile, secret: string): Promise<boolean> {
    try {
      const program = await this.#services.gitProgram();
      return await rewriteEnvFile(vscode.Uri.parse(uri), { variable, secret }, program);
    } catch (error) {
      this.#warn(error);
      return true;
    }
  }

  async #remember(files: readonly FollowedFile[]): Promise<void> {
    await this.#services.memento.update(followedKey, files.length === 0 ? undefined : files);
  }

  #all(): readonly FollowedFile[] {
    return this.#services.memento.get<FollowedFile[]>(followedKey, []);
  }

  #warn(error: unknown): void {
    const { log } = this.#services;
    logError(log, error);
    const reason = error instanceof UserError ? error.message : t('The log of Runhook says why.');
    const again = t('Write to .env…');
    vscode.window
      .showWarningMessage(t('A .env file still has the webhook secret from before. {0}', reason), again)
      .then(async (picked) => {
        if (picked === again) await vscode.commands.executeCommand(commandIds.writeWebhookSecret);
      })
      .then(undefined, (failure: unknown) => logError(log, failure));
  }
}
