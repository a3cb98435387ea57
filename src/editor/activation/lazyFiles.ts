import * as vscode from 'vscode';

/** Files as bytes, which reach the editor unchanged. `stat` says which of them can be written. */
export type ServedFiles = Pick<vscode.FileSystemProvider, 'onDidChangeFile' | 'stat' | 'readFile'> &
  Partial<Pick<vscode.FileSystemProvider, 'writeFile'>>;

/** A file system whose files are loaded when the first is opened. */
export interface LazyFiles {
  /** Provides the files. */
  fill(files: ServedFiles): void;
  dispose(): void;
}

/** @param load must call `fill` before it resolves */
export function lazyFiles(scheme: string, load: () => Promise<unknown>): LazyFiles {
  const changed = new vscode.EventEmitter<vscode.FileChangeEvent[]>();
  const { promise: filled, resolve: fill } = Promise.withResolvers<ServedFiles>();
  const files = () => load().then(() => filled);
  void filled.then(({ onDidChangeFile }) => onDidChangeFile((changes) => changed.fire(changes)));
  const refuse = (): never => {
    throw vscode.FileSystemError.NoPermissions();
  };
  const provider: vscode.FileSystemProvider = {
    onDidChangeFile: changed.event,
    stat: async (uri) => (await files()).stat(uri),
    readFile: async (uri) => (await files()).readFile(uri),
    writeFile: async (...asked) => {
      const served = await files();
      if (served.writeFile === undefined) refuse();
      else await served.writeFile(...asked);
    },
    // Every change is reported anyway.
    watch: () => new vscode.Disposable(() => undefined),
    readDirectory: refuse,
    createDirectory: refuse,
    delete: refuse,
    rename: refuse,
  };
  const registered = vscode.workspace.registerFileSystemProvider(scheme, provider, { isCaseSensitive: true });
  return { fill, dispose: () => void registered.dispose() };
}
