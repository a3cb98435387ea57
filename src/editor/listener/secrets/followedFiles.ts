import * as vscode from 'vscode';
import type { SecretScope } from '../../../model/secrets/webhookSecret.ts';
import { Turns } from '../../../model/async/turns.ts';
import { t } from '../../../model/text/l10n.ts';
import { UserError } from '../../../model/text/userError.ts';
import { commandIds } from '../../ids.ts';
import { type Log, logError } from '../../log.ts';
import { writeEnvFile } from './envFile.ts';
import type { WebhookSecrets } from './webhookSecrets.ts';

/** Under what a workspace remembers the files that go along with a rotation. */
const followedKey = 'secrets.envFiles';

/** A file that is written anew whenever the secret changes. */
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

/** The `.env` files of this workspace that have the webhook secret. Where they are is remembered, the secret is not. */
export class FollowedFiles {
  readonly #services: Services;
  readonly #turns = new Turns();

  constructor(services: Services) {
    this.#services = services;
  }

  /** Writes a file. @param follows whether it is written anew whenever the secret changes; @returns whether git ignores it */
  write(file: FollowedFile, secret: string, follows: boolean): Promise<boolean> {
    return this.#turns.next(async () => {
      const isIgnored = await this.#write(file, secret);
      const others = this.#all().filter(
        ({ uri, variable }) => uri !== file.uri || variable !== file.variable,
      );
      const all = follows ? [...others, file] : others;
      await this.#services.memento.update(followedKey, all.length === 0 ? undefined : all);
      return isIgnored;
    });
  }

  /** Writes all of them anew. One that cannot be is told of, and the others are written. */
  follow(): Promise<void> {
    return this.#turns.next(async () => {
      // guard: nothing is written while the workspace is not trusted
      if (!vscode.workspace.isTrusted) return;
      for (const file of this.#all()) {
        const found = await (await this.#services.secrets.store()).find(file);
        if (found === undefined) continue;
        await this.#write(file, found.secret).catch((error: unknown) => this.#tell(error));
      }
    });
  }

  async #write({ uri, variable }: FollowedFile, secret: string): Promise<boolean> {
    return writeEnvFile(vscode.Uri.parse(uri), { variable, secret }, await this.#services.gitProgram());
  }

  #all(): readonly FollowedFile[] {
    return this.#services.memento.get<FollowedFile[]>(followedKey, []);
  }

  #tell(error: unknown): void {
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
