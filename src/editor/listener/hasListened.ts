import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type * as vscode from 'vscode';
import { controlFileName, programFolder } from '../../model/processes/controlFile.ts';
import { RememberedPort } from './program/rememberedPort.ts';
import { sharedStorage } from '../../client/program/sharedStorage.ts';

/** The folder of the deliveries of this window: they are the folder's, or the user's where no folder is open. */
export function listenerFolder(context: vscode.ExtensionContext): string {
  return sharedStorage((context.storageUri ?? context.globalStorageUri).fsPath, existsSync);
}

/** Whether this window has listened before, or there is a listener of another window that it could join. */
export function hasListened(context: vscode.ExtensionContext): boolean {
  return (
    new RememberedPort(context.workspaceState).inUse !== undefined ||
    existsSync(join(listenerFolder(context), programFolder, controlFileName))
  );
}
