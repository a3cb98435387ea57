import * as vscode from 'vscode';

/** What a file system gives; undefined where there is no such file or folder. */
export async function ifThere<T>(asked: Thenable<T>): Promise<T | undefined> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof vscode.FileSystemError && error.code === 'FileNotFound') return undefined;
    throw error;
  }
}
