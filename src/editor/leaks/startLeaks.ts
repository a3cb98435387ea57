import * as vscode from 'vscode';
import type { CommandsOf } from '../commands.ts';
import { EditorGit } from './editorGit.ts';
import type { Log } from '../log.ts';
import { findTokensCommands } from './findTokensCommand.ts';
import { HeldNeedles, type NeedleSources } from './heldNeedles.ts';
import { registerTokenLeakFix } from './tokenLeakFix.ts';
import { TokenLeakWatch } from './tokenLeakWatch.ts';

/** What the search for tokens and webhook secrets in files needs. */
export interface LeaksFeature extends NeedleSources {
  log: Log;
}

/** Everything that looks for tokens and webhook secrets in files, until it is disposed of. */
export interface Leaks {
  commands: CommandsOf<'leaks'>;
  /** The path of git; undefined if there is none or it may not be run. */
  gitProgram(): Promise<string | undefined>;
  dispose(): void;
}

/** Starts everything that looks for tokens and webhook secrets in files. */
export function startLeaks(feature: LeaksFeature): Leaks {
  const { log } = feature;
  const git = new EditorGit();
  const needles = new HeldNeedles(feature);
  const watch = new TokenLeakWatch(needles, git, log);
  const owned = vscode.Disposable.from(registerTokenLeakFix(), watch, needles, git);
  return {
    commands: findTokensCommands({ needles, git, watch, log }),
    gitProgram: async () => (await git.known())?.program,
    dispose: () => void owned.dispose(),
  };
}
