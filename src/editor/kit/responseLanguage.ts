import { isAbsolute, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as vscode from 'vscode';
import { responseFolds } from '../../shared/http/responseText.ts';
import { type SourcePlace, sourcePlaces } from '../../shared/text/sourcePlaces.ts';
import { responseLanguageId } from './ids.ts';

/** How many files are looked for in one document. */
const mostFiles = 50;

/** What the editor offers in the documents of responses: folded parts, and links to the source files of stack frames. */
export function responseLanguage(): vscode.Disposable {
  return vscode.Disposable.from(
    vscode.languages.registerFoldingRangeProvider(responseLanguageId, {
      provideFoldingRanges: (document) =>
        responseFolds(document.getText().split('\n')).map(
          // The editor folds imports at first, as the manifest sets it for this language: no command is needed, which
          // would fold in the editor that has the focus.
          ({ first, last, isPart }) =>
            new vscode.FoldingRange(first, last, isPart ? vscode.FoldingRangeKind.Imports : undefined),
        ),
    }),
    vscode.languages.registerDocumentLinkProvider(responseLanguageId, { provideDocumentLinks: links }),
  );
}

/** Links to the files of the workspace that a response names, and to no other file. */
async function links(document: vscode.TextDocument): Promise<vscode.DocumentLink[]> {
  const places = sourcePlaces(document.getText());
  const names = [...new Set(places.map(({ file }) => file))].slice(0, mostFiles);
  const found = new Map(
    await Promise.all(names.map(async (name) => [name, await inWorkspace(name)] as const)),
  );
  return places.flatMap(({ start, end, ...place }) => {
    const uri = found.get(place.file);
    const range = new vscode.Range(document.positionAt(start), document.positionAt(end));
    return uri === undefined ? [] : [new vscode.DocumentLink(range, at(uri, place))];
  });
}

/** The editor opens a file at the place that the fragment of its address names. */
function at(uri: vscode.Uri, { line, column }: Pick<SourcePlace, 'line' | 'column'>): vscode.Uri {
  return uri.with({ fragment: column === undefined ? `L${line}` : `L${line},${column}` });
}

/** The file of the workspace that has this name, if there is one. */
async function inWorkspace(file: string): Promise<vscode.Uri | undefined> {
  for (const uri of candidates(file)) {
    if (vscode.workspace.getWorkspaceFolder(uri) === undefined) continue;
    const isFile = await vscode.workspace.fs.stat(uri).then(
      ({ type }) => (type & vscode.FileType.File) !== 0,
      () => false,
    );
    if (isFile) return uri;
  }
  return undefined;
}

function candidates(file: string): vscode.Uri[] {
  if (file.startsWith('file:')) {
    // An address that is none names no file.
    const path = URL.canParse(file) ? pathOf(file) : undefined;
    return path === undefined ? [] : [vscode.Uri.file(path)];
  }
  if (isAbsolute(file)) return [vscode.Uri.file(normalize(file))];
  const folders = vscode.workspace.workspaceFolders ?? [];
  return folders.map(({ uri }) => vscode.Uri.joinPath(uri, file));
}

function pathOf(address: string): string | undefined {
  try {
    return fileURLToPath(address);
  } catch {
    // Of another machine, or with a slash in a name.
    return undefined;
  }
}
