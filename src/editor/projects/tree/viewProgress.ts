import * as vscode from 'vscode';
import { viewIds } from '../../ids.ts';
import type { KeyLists } from '../keys/keyLists.ts';

/** Shows progress in the Projects view while keys are being listed. */
export class ViewProgress implements vscode.Disposable {
  readonly #subscription: vscode.Disposable;
  #end: (() => void) | undefined;

  constructor(keyLists: KeyLists) {
    this.#subscription = keyLists.onDidChange(() => this.#follow(keyLists.isLoading));
  }

  dispose(): void {
    this.#subscription.dispose();
    this.#follow(false);
  }

  #follow(loading: boolean): void {
    if (loading === (this.#end !== undefined)) return;
    if (!loading) {
      this.#end?.();
      this.#end = undefined;
      return;
    }
    const { promise, resolve } = Promise.withResolvers<undefined>();
    this.#end = () => resolve(undefined);
    void vscode.window.withProgress({ location: { viewId: viewIds.projects } }, async () => promise);
  }
}
