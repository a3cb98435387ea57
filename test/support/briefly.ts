import * as vscode from 'vscode';

/** Does something, and gives what the status bar said of it for some seconds. */
export async function briefly(action: () => Promise<unknown>): Promise<string[]> {
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
