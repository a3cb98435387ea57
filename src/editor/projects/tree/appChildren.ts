import * as vscode from 'vscode';
import type { CarriesArgument } from '../../commands.ts';

export interface AppRef {
  projectId: string;
  appName: string;
}

/** A line under an app; its `argument` is that of the commands in its menu. */
export interface AppChild extends CarriesArgument {
  item: vscode.TreeItem;
  argument: { projectId: string };
  /** The lines under it, where there can be some. */
  children?: () => AppChild[];
}

/** What another feature shows under each app of the Projects view. */
export interface AppChildren {
  /** The lines under an app have changed. */
  readonly onDidChange: vscode.Event<AppRef>;
  of(app: AppRef): AppChild[];
}

/** What several show under each app. */
export function oneBelowTheOther(...parts: readonly AppChildren[]): AppChildren {
  return {
    onDidChange: (listener, ...more) =>
      vscode.Disposable.from(...parts.map(({ onDidChange }) => onDidChange(listener, ...more))),
    of: (app) => parts.flatMap((one) => one.of(app)),
  };
}

/** What another feature shows below the projects of the Projects view: that it failed, for instance. */
export interface ViewLines {
  readonly onDidChange: vscode.Event<unknown>;
  all(): vscode.TreeItem[];
}
