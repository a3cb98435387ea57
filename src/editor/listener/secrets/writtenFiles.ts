import * as vscode from 'vscode';
import type { SecretScope } from '../../../model/secrets/webhookSecret.ts';
import { appName as nameOf } from '../../../model/projects/project.ts';
import { envValues } from './envFile.ts';
import type { SecretProjects } from './secretScopes.ts';
import type { WebhookSecrets } from './webhookSecrets.ts';

/** Workspace-state key of the files. Former versions kept those here that they rewrote whenever the secret changed. */
const filesKey = 'secrets.envFiles';

/** More are not remembered: the oldest goes first. */
const mostFiles = 100;

/** A variable of a `.env` file, and whose secret was written there. */
export interface WrittenFile extends SecretScope {
  uri: string;
  variable: string;
}

/** The `.env` files of this workspace that the webhook secret was written into. Remembers their paths, not the secret. */
export class WrittenFiles {
  readonly #memento: vscode.Memento;
  readonly #secrets: Pick<WebhookSecrets, 'store'>;
  readonly #projects: Pick<SecretProjects, 'find'>;

  constructor(
    memento: vscode.Memento,
    secrets: Pick<WebhookSecrets, 'store'>,
    projects: Pick<SecretProjects, 'find'>,
  ) {
    this.#memento = memento;
    this.#secrets = secrets;
    this.#projects = projects;
  }

  async remember(file: WrittenFile): Promise<void> {
    const others = this.#all().filter(({ uri, variable }) => uri !== file.uri || variable !== file.variable);
    await this.#memento.update(filesKey, [...others, file].slice(-mostFiles));
  }

  /**
   * The files that hold another secret than the one that they should hold now.
   * @param known the secrets that were written: what a user wrote there by hand is no concern of ours
   */
  async behind(known: readonly string[]): Promise<WrittenFile[]> {
    const store = await this.#secrets.store();
    const found: WrittenFile[] = [];
    for (const file of this.#all().filter((one) => this.#hasOwner(one))) {
      const current = (await store.find(file))?.secret;
      const values = envValues(vscode.Uri.parse(file.uri), file.variable);
      if ((await values).some((value) => value !== current && known.includes(value))) found.push(file);
    }
    return found;
  }

  /** Whether the project and the app are there: whose secret the file should hold is not known otherwise. */
  #hasOwner({ projectId, appName }: WrittenFile): boolean {
    if (projectId === undefined) return true;
    const apps = this.#projects.find(projectId)?.apps;
    return apps !== undefined && (appName === undefined || apps.some((app) => nameOf(app) === appName));
  }

  #all(): readonly WrittenFile[] {
    return this.#memento.get<WrittenFile[]>(filesKey, []);
  }
}
