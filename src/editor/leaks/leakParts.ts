import * as vscode from 'vscode';
import type { CommandsOf } from '../commands.ts';
import { EditorGit } from './editorGit.ts';
import type { Log } from '../log.ts';
import { findTokensCommands } from './findTokensCommand.ts';
import { HeldNeedles, type NeedleSources } from './heldNeedles.ts';
import { StagedWatch } from './stagedWatch.ts';
import { registerTokenLeakFix } from './tokenLeakFix.ts';
import { TokenLeakWatch } from './tokenLeakWatch.ts';

/** What looking for tokens and webhook secrets in files is made of. */
export interface LeaksFeature extends NeedleSources {
  log: Log;
}

/** All that looks for tokens and webhook secrets in files. */
export class LeakParts implements vscode.Disposable {
  readonly #feature: LeaksFeature;
  readonly #git = new EditorGit();
  readonly #needles: HeldNeedles;
  readonly #watch: TokenLeakWatch;
  readonly #others: vscode.Disposable;

  constructor(feature: LeaksFeature) {
    const { log } = feature;
    this.#feature = feature;
    this.#needles = new HeldNeedles(feature);
    this.#watch = new TokenLeakWatch(this.#needles, this.#git, log);
    const tell = (message: string, ...buttons: string[]) =>
      vscode.window.showWarningMessage(message, ...buttons);
    this.#others = vscode.Disposable.from(
      registerTokenLeakFix(),
      new StagedWatch({ git: this.#git, needles: this.#needles, tell, log }),
    );
  }

  commands(): CommandsOf<'leaks'> {
    const { log } = this.#feature;
    return findTokensCommands({ needles: this.#needles, git: this.#git, watch: this.#watch, log });
  }

  dispose(): void {
    this.#others.dispose();
    this.#watch.dispose();
    this.#needles.dispose();
    this.#git.dispose();
  }
}
