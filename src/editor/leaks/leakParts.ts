import * as vscode from 'vscode';
import { EditorGit } from './editorGit.ts';
import { registerFindTokens } from './findTokensCommand.ts';
import { HeldNeedles } from './heldNeedles.ts';
import { StagedWatch } from './stagedWatch.ts';
import { registerTokenLeakFix } from './tokenLeakFix.ts';
import { TokenLeakWatch } from './tokenLeakWatch.ts';
import type { Commands } from '../commands.ts';
import type { Log } from '../log.ts';
import type { NeedleSources } from './heldNeedles.ts';

/** What looking for tokens and webhook secrets in files is made of. */
export interface LeaksFeature extends NeedleSources {
  commands: Commands;
  log: Log;
}

/** All that looks for tokens and webhook secrets in files. Loaded after activation. */
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

  registerCommand(): void {
    const { commands, log } = this.#feature;
    registerFindTokens({ commands, needles: this.#needles, git: this.#git, watch: this.#watch, log });
  }

  dispose(): void {
    this.#others.dispose();
    this.#watch.dispose();
    this.#needles.dispose();
    this.#git.dispose();
  }
}
