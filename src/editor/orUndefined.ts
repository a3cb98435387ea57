import * as vscode from 'vscode';

/** The result of a file system operation; undefined if there is no such file or folder. */
export async function orUndefined<T>(operation: Thenable<T>): Promise<T | undefined> {
  try {
    return await operation;
  } catch (error) {
    if (error instanceof vscode.FileSystemError && error.code === 'FileNotFound') return undefined;
    throw error;
  }
}
