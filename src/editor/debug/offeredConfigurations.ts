import * as vscode from 'vscode';
import type { ForwardTargets } from '../../model/deliveries/destination.ts';
import { typedAddress } from '../../model/routes/typedAddress.ts';
import {
  type LaunchConfiguration,
  guessedAddress,
  handlerConfiguration,
  readsAsVariable,
} from '../../model/tasks/handlerConfiguration.ts';
import { isHandler, startingFile } from './handlerFile.ts';

/**
 * The configuration that the editor offers to start, or to put into launch.json: that of the open file, if an app can
 * start from it.
 */
export async function offeredConfigurations(
  folder: vscode.WorkspaceFolder | undefined,
  forward: Pick<ForwardTargets, 'rest'>,
): Promise<LaunchConfiguration[]> {
  const open = vscode.window.activeTextEditor?.document;
  if (open === undefined || !vscode.workspace.isTrusted || !isHandler(open.uri)) return [];
  if (vscode.workspace.getWorkspaceFolder(open.uri) !== folder) return [];
  const file = await startingFile(open.uri);
  if (readsAsVariable(file.path)) return [];
  const set = forward.rest;
  const text = open.getText();
  const to = typedAddress(set.kind === 'given' ? set.to : guessedAddress(text));
  return [handlerConfiguration({ ...file, text }, to)];
}
