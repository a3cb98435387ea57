import * as vscode from 'vscode';
import type { LaunchConfiguration } from '../../model/tasks/handlerConfiguration.ts';
import { withConfiguration } from '../../model/tasks/launchFile.ts';
import { t } from '../../model/text/l10n.ts';
import { isUtf16, textOfFile } from '../../model/text/textOfFile.ts';
import { UserError, type UserErrorOptions } from '../../model/text/userError.ts';

/** A launch.json before and after the change. */
export interface PlannedLaunch {
  uri: vscode.Uri;
  /** The path relative to the workspace, for messages. */
  shown: string;
  /** The current text; undefined if there is no such file yet. */
  before: string | undefined;
  text: string;
  /** Whether a configuration of the same name is replaced. */
  replaces: boolean;
}

const again: UserErrorOptions = { remedies: [{ kind: 'tryAgain' }] };
/** VS Code does not show it in the text of a document. */
const byteOrderMark = '\uFEFF';

/** Plans the change. @throws UserError if launch.json is invalid or has unsaved changes; an invalid one is opened */
export async function plannedLaunch(
  folder: vscode.WorkspaceFolder,
  configuration: LaunchConfiguration,
): Promise<PlannedLaunch> {
  const uri = vscode.Uri.joinPath(folder.uri, '.vscode', 'launch.json');
  const shown = vscode.workspace.asRelativePath(uri);
  refuseUnsaved(uri, shown);
  const before = await readText(uri);
  const mark = before?.startsWith(byteOrderMark) === true ? byteOrderMark : '';
  const plain = before?.slice(mark.length) ?? '';
  const edit = withConfiguration(plain, configuration);
  if (edit.kind === 'written') return { uri, shown, before, ...edit, text: mark + edit.text };
  const lines = plain.slice(0, edit.offset).split(/\r\n|\r|\n/);
  const [line, column] = [lines.length - 1, lines.at(-1)?.length ?? 0];
  const message = t(
    '{0} has a mistake in line {1}, column {2}, so nothing was added to it. Correct it first.',
    ...[shown, line + 1, column + 1],
  );
  await vscode.window.showTextDocument(uri, { selection: new vscode.Range(line, column, line, column) });
  throw new UserError(message, again);
}

/** Writes a planned change. @throws UserError if the file was changed, has unsaved changes or cannot be written */
export async function writeLaunch({ uri, shown, before, text }: PlannedLaunch): Promise<void> {
  refuseUnsaved(uri, shown);
  if ((await readText(uri)) !== before) {
    throw new UserError(t('{0} was changed meanwhile, so nothing was added to it. Try again.', shown), again);
  }
  try {
    await vscode.workspace.fs.writeFile(uri, Buffer.from(text));
  } catch (cause) {
    throw new UserError(t('{0} could not be written. Check its permissions.', shown), { cause, ...again });
  }
}

/** The text with the byte order mark that it has, since it is written as UTF-8. Undefined if there is no such file. */
async function readText(uri: vscode.Uri): Promise<string | undefined> {
  try {
    const bytes = await vscode.workspace.fs.readFile(uri);
    const isMarked = isUtf16(bytes) || (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf);
    return (isMarked ? byteOrderMark : '') + textOfFile(bytes);
  } catch (error) {
    if (error instanceof vscode.FileSystemError && error.code === 'FileNotFound') return undefined;
    throw error;
  }
}

function refuseUnsaved(uri: vscode.Uri, shown: string): void {
  const { textDocuments } = vscode.workspace;
  if (!textDocuments.some((one) => one.isDirty && one.uri.toString() === uri.toString())) return;
  throw new UserError(t('{0} has changes that are not saved. Save it first.', shown), {
    remedies: [{ kind: 'openFile', uri: uri.toString() }],
  });
}
