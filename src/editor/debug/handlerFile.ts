import { posix } from 'node:path';
import * as vscode from 'vscode';
import { t } from '../../shared/text/l10n.ts';
import { plainText } from '../../shared/text/plainText.ts';
import { UserError } from '../../shared/text/userError.ts';
import { givenFile, openFile } from '../kit/files.ts';
import { handlerSuffixes, runtimeOf } from '../kit/handlerConfiguration.ts';
import { DeclinedError, type Prompts } from '../kit/prompts.ts';

/** The file that starts the app whose handler is to be debugged. */
export interface StartingFile {
  folder: vscode.WorkspaceFolder;
  /** Relative to its folder, with forward slashes. */
  path: string;
  document: vscode.TextDocument;
  hasTsx: boolean;
}

/** How many files are offered at most. The open one is always among them. */
const mostOffered = 500;

/** Files from which no app starts. */
const neverStarts = '**/{node_modules,.git,.venv,venv,site-packages,__pycache__,.vscode-test}/**';

/** The file that a caller names. @throws UserError if it cannot be debugged */
export async function givenHandlerFile(text: string): Promise<StartingFile> {
  return startingFile(await givenFile(text));
}

/**
 * The file that the user picks; not asked if there is only one. The open file is listed first: it starts a small app.
 * In a larger app, it usually holds the handler and another file starts the app. One that is not saved yet, as after
 * *Insert Verification Code…*, is saved first.
 */
export async function askHandlerFile(prompts: Prompts): Promise<StartingFile> {
  const document = vscode.window.activeTextEditor?.document;
  const open = document?.uri;
  const isOpen = ({ fsPath }: vscode.Uri) => fsPath === open?.fsPath;
  const found = await vscode.workspace.findFiles(
    `**/*.{${handlerSuffixes.join(',')}}`,
    neverStarts,
    mostOffered,
  );
  const others = found
    .filter((uri) => !isOpen(uri) && isHandler(uri))
    .sort((one, other) => (one.path < other.path ? -1 : 1));
  const isOffered = document && (document.isUntitled ? mayHandle(document) : isHandler(document.uri));
  const files = [...(isOffered ? [document.uri] : []), ...others];
  const [first] = files;
  if (first === undefined) {
    const hasFolder = vscode.workspace.workspaceFolders !== undefined;
    const message = t(
      'This workspace has no JavaScript, TypeScript or Python file to debug. Start one with "Insert Verification Code…" and save it in the workspace.',
    );
    throw new UserError(message, {
      remedies: [{ kind: hasFolder ? 'insertVerificationCode' : 'openFolder' }],
    });
  }
  if (files.length === 1) return startingFile(await saved(first));
  const picked = await prompts.pick(
    t('Which file starts your handler?'),
    files.map((uri) => ({
      label: plainText(vscode.workspace.asRelativePath(uri.fsPath), 200),
      ...(isOpen(uri) && { description: t('open') }),
      value: uri,
    })),
  );
  if (picked === undefined) throw new DeclinedError(t('Nothing was started.'));
  return startingFile(await saved(picked));
}

/** Whether a document without a file is in a language that a handler can be debugged in. */
function mayHandle({ languageId }: vscode.TextDocument): boolean {
  return ['javascript', 'typescript', 'python'].includes(languageId);
}

/** The file of a document, which is asked for if it has none. @throws DeclinedError if the user names none */
async function saved(uri: vscode.Uri): Promise<vscode.Uri> {
  const file = uri.scheme === 'untitled' ? await vscode.workspace.save(uri) : uri;
  if (file === undefined) throw new DeclinedError(t('Nothing was started.'));
  return file;
}

/** Whether a file may start an app. */
export function isHandler(uri: vscode.Uri): boolean {
  return runtimeOf(uri.path) !== undefined && vscode.workspace.getWorkspaceFolder(uri) !== undefined;
}

/** @throws UserError if no app can start from the file */
export async function startingFile(uri: vscode.Uri): Promise<StartingFile> {
  const folder = vscode.workspace.getWorkspaceFolder(uri);
  if (folder === undefined || !isHandler(uri)) {
    throw new UserError(
      t(
        'Runhook cannot debug "{0}". Name a JavaScript, TypeScript or Python file of this workspace.',
        plainText(vscode.workspace.asRelativePath(uri), 200),
      ),
      { remedies: [{ kind: 'tryAgain' }] },
    );
  }
  const document = await openFile(uri);
  const tsx = vscode.Uri.joinPath(folder.uri, 'node_modules', 'tsx', 'package.json');
  const hasTsx = await vscode.workspace.fs.stat(tsx).then(
    () => true,
    () => false,
  );
  return { folder, path: posix.relative(folder.uri.path, uri.path), document, hasTsx };
}
