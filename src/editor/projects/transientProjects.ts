import * as vscode from 'vscode';
import { originOf, type Service } from '../../model/service/endpoints.ts';
import type { Project } from '../../model/projects/project.ts';
import { type Log, logError } from '../log.ts';
import { Turns } from '../../model/async/turns.ts';
import type { Tokens } from './tokens/tokens.ts';

/** A project that is not in the settings: the sandbox's project, while the sandbox runs. */
export interface TransientProject {
  project: Project;
  service: Service;
  /** By service account id. */
  tokens: ReadonlyMap<string, string>;
  /** It is back after a reload: its tokens are in the store, as the user left them. */
  isBack?: boolean;
  /** Where the project runs; shown beside its name. */
  label?: string;
  /** Notes about its apps, by app id: plain text. */
  appNotes?: ReadonlyMap<string, string>;
}

/** The transient projects. The token store holds each one's tokens, under its own origin, until it is removed. */
export class TransientProjects {
  readonly #tokens: Tokens;
  readonly #log: Log;
  readonly #changed: () => void;
  readonly #byId = new Map<string, TransientProject>();
  /** By project id. */
  readonly all: ReadonlyMap<string, TransientProject> = this.#byId;
  readonly #storing = new Turns();

  /** @param changed called when a project is added or removed */
  constructor(tokens: Tokens, log: Log, changed: () => void) {
    this.#tokens = tokens;
    this.#log = log;
    this.#changed = changed;
  }

  /** Adds or replaces a project. Disposing the result removes the project, unless it was replaced. */
  addTransient(transient: TransientProject): vscode.Disposable {
    const { project, service, tokens, isBack = false } = transient;
    const origin = originOf(service.baseUrl);
    const owner = (serviceAccountId: string) => ({ origin, projectId: project.id, serviceAccountId });
    const previous = this.#byId.get(project.id);
    this.#byId.set(project.id, transient);
    for (const [account, token] of tokens) {
      if (previous === undefined && isBack) continue;
      // If a project is added again with the same token, keep what the user has since done to the stored token.
      if (previous?.tokens.get(account) !== token) this.#store(() => this.#tokens.set(owner(account), token));
    }
    this.#changed();
    return new vscode.Disposable(() => {
      if (this.#byId.get(project.id) !== transient) return;
      this.#byId.delete(project.id);
      for (const account of tokens.keys()) this.#store(() => this.#tokens.delete(owner(account)));
      this.#changed();
    });
  }

  /** Resolves once all pending token changes are in the store. */
  stored(): Promise<void> {
    return this.#storing.next(() => Promise.resolve());
  }

  #store(change: () => Promise<void>): void {
    this.#storing.next(change).catch((error: unknown) => {
      logError(this.#log, error);
    });
  }
}
