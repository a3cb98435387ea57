import * as vscode from 'vscode';
import type { AccountRef } from '../../service/projects/project.ts';
import { tokenVariable } from '../../service/requests/copiedRequest.ts';
import { describeTerminals } from '../commandLine/terminals.ts';

/**
 * The token of one account as a variable of this window's terminals, where copied commands read it. It is in memory
 * only, and gone when the window closes.
 */
export class TerminalToken {
  readonly #collection: vscode.EnvironmentVariableCollection;
  readonly #tokenOf: (ref: AccountRef) => Promise<string | undefined>;
  #given: { ref: AccountRef; token: string } | undefined;
  readonly #changed = new vscode.EventEmitter<undefined>();
  readonly onDidChange = this.#changed.event;

  /** @param tokenOf the token that is stored for an account */
  constructor(
    collection: vscode.EnvironmentVariableCollection,
    tokenOf: (ref: AccountRef) => Promise<string | undefined>,
  ) {
    this.#collection = collection;
    this.#tokenOf = tokenOf;
  }

  /** Whether it is the token of this account that terminals get. */
  isOf({ projectId, serviceAccountId }: AccountRef): boolean {
    const { ref } = this.#given ?? {};
    return ref?.projectId === projectId && ref.serviceAccountId === serviceAccountId;
  }

  /** The token that terminals get; undefined if they get none. */
  get token(): string | undefined {
    return this.#given?.token;
  }

  /** Gives the token to terminals opened from now on. Open terminals are marked as out of date. */
  give(ref: AccountRef, token: string): void {
    if (this.#given?.token !== token) {
      // A shell may reset its variables as it starts: shell integration then applies them once more.
      const options = { applyAtProcessCreation: true, applyAtShellIntegration: true };
      this.#collection.replace(tokenVariable, token, options);
    }
    this.#set({ ref, token });
  }

  /** Takes the token back. An open terminal keeps it until it is reopened. */
  take(): void {
    if (this.#given === undefined) return;
    this.#collection.delete(tokenVariable);
    this.#set(undefined);
  }

  /** Applies a change of the token to the terminals. A deleted token is taken back. */
  async follow(): Promise<void> {
    const before = this.#given;
    if (before === undefined) return;
    const token = await this.#tokenOf(before.ref).catch(() => undefined);
    // Meanwhile it may have been taken back, or that of another account given.
    if (this.#given !== before) return;
    if (token === undefined) this.take();
    else this.give(before.ref, token);
  }

  dispose(): void {
    this.#changed.dispose();
  }

  #set(given: { ref: AccountRef; token: string } | undefined): void {
    this.#given = given;
    describeTerminals(this.#collection);
    this.#changed.fire(undefined);
  }
}
