import * as vscode from 'vscode';
import type { CarriesArgument } from '../../commands.ts';

export interface AppRef {
  projectId: string;
  appName: string;
}

/** A row under an app. The commands in its menu get its `argument`. */
export interface AppChild extends CarriesArgument {
  item: vscode.TreeItem;
  argument: { projectId: string };
  /** The rows under it; undefined if it cannot have any. */
  children?: () => AppChild[];
}

/** The rows that another feature shows under each app of the Projects view. */
export interface AppChildren {
  /** Fires when the rows under an app have changed. */
  readonly onDidChange: vscode.Event<AppRef>;
  of(app: AppRef): AppChild[];
}

/** The rows of several features under each app, one after the other. */
export function stacked(...parts: readonly AppChildren[]): AppChildren {
  return {
    onDidChange: (listener, ...more) =>
      vscode.Disposable.from(...parts.map(({ onDidChange }) => onDidChange(listener, ...more))),
    of: (app) => parts.flatMap((one) => one.of(app)),
  };
}

/** The rows of another feature below the projects of the Projects view, for instance about a failure. */
export interface ViewLines {
  readonly onDidChange: vscode.Event<unknown>;
  all(): vscode.TreeItem[];
}
