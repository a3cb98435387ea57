import * as vscode from 'vscode';

/** Runs an action and returns the temporary status bar messages that it shows. */
export async function statusBarMessagesDuring(action: () => Promise<unknown>): Promise<string[]> {
  const { window } = vscode;
  const real = window.setStatusBarMessage;
  const said: string[] = [];
  window.setStatusBarMessage = (text: string) => {
    said.push(text);
    return new vscode.Disposable(() => undefined);
  };
  try {
    await action();
  } finally {
    window.setStatusBarMessage = real;
  }
  return said;
}
