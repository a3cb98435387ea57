import * as vscode from 'vscode';
import { type Workspace, workspaceFiles } from '../../deliveries/failure/workspaceFiles.ts';

/** The files on this machine that the window has open as its folders. */
export function windowFiles(): Promise<Workspace> {
  const folders = (vscode.workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === 'file');
  return workspaceFiles(folders.map(({ uri }) => uri.fsPath));
}
