import * as vscode from 'vscode';
import type { Service } from '../../model/service/endpoints.ts';
import type { Project } from '../../model/projects/project.ts';
import { type Log, logError } from '../log.ts';
import { Turns } from '../../model/async/turns.ts';
import { originOf, type Tokens } from './tokens/tokens.ts';

/** A project that is not of the settings: the sandbox's, while it runs. */
export interface TransientProject {
  project: Project;
  service: Service;
  /** By service account. */
  tokens: ReadonlyMap<string, string>;
  /** Shown beside its name: where it runs. */
  label?: string;
  /** What is to be said of its apps, by their id: plain text. */
  appNotes?: ReadonlyMap<string, string>;
  /** The apps, by their id, that send what has the shape of a real delivery. */
  shapedApps?: ReadonlySet<string>;
}

/** The transient projects. The tokens of each are in the store as long as it is transient, under its own origin. */
export class TransientProjects {
  readonly #tokens: Tokens;
  readonly #log: Log;
  readonly #changed: () => void;
  readonly #byId = new Map<string, TransientProject>();
  /** By their ids. */
  readonly all: ReadonlyMap<string, TransientProject> = this.#byId;
  readonly #storing = new Turns();

  /** @param changed called when one is put there, or taken away */
  constructor(tokens: Tokens, log: Log, changed: () => void) {
    this.#tokens = tokens;
    this.#log = log;
    this.#changed = changed;
  }

  /** Puts a project there until it is disposed of. */
  addTransient(transient: TransientProject): vscode.Disposable {
    const { project, service, tokens } = transient;
    const origin = originOf(service.baseUrl);
    const owner = (serviceAccountId: string) => ({ origin, projectId: project.id, serviceAccountId });
    const before = this.#byId.get(project.id);
    this.#byId.set(project.id, transient);
    for (const [account, token] of tokens) {
      // Transient anew with the same token: what the user made of it meanwhile stays.
      if (before?.tokens.get(account) !== token) this.#store(() => this.#tokens.set(owner(account), token));
    }
    this.#changed();
    return new vscode.Disposable(() => {
      if (this.#byId.get(project.id) !== transient) return;
      this.#byId.delete(project.id);
      for (const account of tokens.keys()) this.#store(() => this.#tokens.delete(owner(account)));
      this.#changed();
    });
  }

  /** Resolves once their tokens are in the store, or out of it. */
  stored(): Promise<void> {
    return this.#storing.next(() => Promise.resolve());
  }

  #store(change: () => Promise<void>): void {
    this.#storing.next(change).catch((error: unknown) => {
      logError(this.#log, error);
    });
  }
}
