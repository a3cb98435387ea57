import * as vscode from 'vscode';

/** Files to be read only: that way their bytes reach the editor as they are. */
export type ReadableFiles = Pick<vscode.FileSystemProvider, 'onDidChangeFile' | 'stat' | 'readFile'>;

/** A file system whose files are loaded when the first is opened. */
export interface LazyFiles {
  /** Gives it its files. */
  fill(files: ReadableFiles): void;
  dispose(): void;
}

/** @param load has `fill` called before it ends */
export function lazyFiles(scheme: string, load: () => Promise<unknown>): LazyFiles {
  const changed = new vscode.EventEmitter<vscode.FileChangeEvent[]>();
  const { promise: filled, resolve: fill } = Promise.withResolvers<ReadableFiles>();
  const files = () => load().then(() => filled);
  void filled.then(({ onDidChangeFile }) => onDidChangeFile((changes) => changed.fire(changes)));
  const refuse = (): never => {
    throw vscode.FileSystemError.NoPermissions();
  };
  const provider: vscode.FileSystemProvider = {
    onDidChangeFile: changed.event,
    stat: async (uri) => (await files()).stat(uri),
    readFile: async (uri) => (await files()).readFile(uri),
    // Every change is told anyway.
    watch: () => new vscode.Disposable(() => undefined),
    readDirectory: refuse,
    createDirectory: refuse,
    writeFile: refuse,
    delete: refuse,
    rename: refuse,
  };
  const options = { isReadonly: true, isCaseSensitive: true };
  const registered = vscode.workspace.registerFileSystemProvider(scheme, provider, options);
  return { fill, dispose: () => void registered.dispose() };
}
