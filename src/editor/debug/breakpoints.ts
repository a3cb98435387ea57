import * as vscode from 'vscode';
import { t } from '../../shared/text/l10n.ts';
import { plainText } from '../../shared/text/plainText.ts';
import { handlerSuffixes } from '../kit/handlerConfiguration.ts';
import { windowFiles } from '../kit/windowFiles.ts';
import { handlerLine } from './handlerLine.ts';

/** How many files are searched for the handler, and up to which size. */
const mostFiles = 200;
const mostBytes = 500_000;
const searched = `**/*.{${handlerSuffixes.join(',')}}`;
const foreign = '**/{node_modules,.git,.venv,venv,site-packages,dist,out,build,test,tests,__pycache__}/**';

/** A line to stop at. */
export interface Line {
  uri: vscode.Uri;
  /** From 0. */
  line: number;
}

export function addBreakpoint({ uri, line }: Line): vscode.Breakpoint {
  const breakpoint = new vscode.SourceBreakpoint(new vscode.Location(uri, new vscode.Position(line, 0)));
  vscode.debug.addBreakpoints([breakpoint]);
  return breakpoint;
}

/** The verb that sets a breakpoint. */
export function stopText({ uri, line }: Line): string {
  return t('Stop at {0}', `${plainText(vscode.workspace.asRelativePath(uri))}:${line + 1}`);
}

/** The first line of the handler: in the file that is started, else in the first that has the route. */
export async function lineOfRoute(to: URL, program: vscode.Uri | undefined): Promise<Line | undefined> {
  const workspace = await windowFiles();
  const found = await vscode.workspace.findFiles(searched, foreign, mostFiles);
  for (const uri of [...(program === undefined ? [] : [program]), ...found]) {
    const text = await workspace.read(uri.fsPath, mostBytes);
    const line = text === undefined ? undefined : handlerLine(text, to.pathname);
    if (line !== undefined) return { uri, line };
  }
  return undefined;
}
