import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type * as vscode from 'vscode';
import { controlFileName, programFolder } from '../../listener/attach/controlFile.ts';
import { RememberedPort } from './program/rememberedPort.ts';
import { sharedStorage } from '../../listener/attach/sharedStorage.ts';

/** The storage folder of this window's deliveries: the workspace's, or the user's if no folder is open. */
export function listenerFolder(context: vscode.ExtensionContext): string {
  return sharedStorage((context.storageUri ?? context.globalStorageUri).fsPath, existsSync);
}

/** Whether this window listened before it was closed or reloaded, or another window may have a listener to join. */
export function hasListened(context: vscode.ExtensionContext): boolean {
  return (
    new RememberedPort(context.workspaceState).inUse !== undefined ||
    existsSync(join(listenerFolder(context), programFolder, controlFileName))
  );
}
