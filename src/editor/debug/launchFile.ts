import * as vscode from 'vscode';
import type { LaunchConfiguration } from '../../model/tasks/handlerConfiguration.ts';
import { withConfiguration } from '../../model/tasks/launchFile.ts';
import { t } from '../../model/text/l10n.ts';
import { UserError, type UserErrorOptions } from '../../model/text/userError.ts';

/** A launch.json as it is, and as it is to be. */
export interface PlannedLaunch {
  uri: vscode.Uri;
  /** As the user knows the file. */
  shown: string;
  /** Absent where there is no such file yet. */
  before: vscode.TextDocument | undefined;
  textBefore: string;
  text: string;
  /** Whether a configuration of that name is there. */
  replaces: boolean;
}

const again: UserErrorOptions = { remedies: [{ kind: 'tryAgain' }] };

/** @throws UserError where launch.json is no launch.json, which is opened then */
export async function plannedLaunch(
  folder: vscode.WorkspaceFolder,
  configuration: LaunchConfiguration,
): Promise<PlannedLaunch> {
  const uri = vscode.Uri.joinPath(folder.uri, '.vscode', 'launch.json');
  const shown = vscode.workspace.asRelativePath(uri);
  const isThere = await vscode.workspace.fs.stat(uri).then(
    () => true,
    () => false,
  );
  const before = isThere ? await vscode.workspace.openTextDocument(uri) : undefined;
  if (before?.isDirty === true) {
    await vscode.window.showTextDocument(before);
    throw new UserError(t('{0} has changes that are not saved. Save it first.', shown), again);
  }
  const textBefore = before?.getText() ?? '';
  const edit = withConfiguration(textBefore, configuration);
  if (edit.kind === 'written') return { uri, shown, before, textBefore, ...edit };
  if (before === undefined) throw new Error('A file that is not there has no mistake.');
  const at = before.positionAt(edit.offset);
  await vscode.window.showTextDocument(before, { selection: new vscode.Range(at, at) });
  throw new UserError(
    t(
      '{0} has a mistake in line {1}, column {2}, so nothing is added to it. Mend it first.',
      shown,
      at.line + 1,
      at.character + 1,
    ),
    again,
  );
}

/** Writes what was planned. @throws UserError where the file is another by now, or cannot be written */
export async function writeLaunch({ uri, shown, before, textBefore, text }: PlannedLaunch): Promise<void> {
  if (before === undefined) {
    const edit = new vscode.WorkspaceEdit();
    // One that somebody else has made meanwhile stays.
    edit.createFile(uri, { contents: Buffer.from(text) });
    if (!(await vscode.workspace.applyEdit(edit))) throw notWritten(shown);
    return;
  }
  if (before.isDirty || before.getText() !== textBefore) {
    throw new UserError(t('{0} was changed meanwhile, so nothing was added to it. Try again.', shown), again);
  }
  const edit = new vscode.WorkspaceEdit();
  const whole = new vscode.Range(before.positionAt(0), before.positionAt(textBefore.length));
  edit.replace(uri, whole, text);
  if (!(await vscode.workspace.applyEdit(edit)) || !(await before.save())) throw notWritten(shown);
}

function notWritten(shown: string): UserError {
  return new UserError(t('{0} could not be written. Look whether it can be.', shown), again);
}
