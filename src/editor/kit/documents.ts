import * as vscode from 'vscode';
import { withUtf8Mark } from '../../shared/text/textOfFile.ts';
import { responseLanguageId } from './ids.ts';

/** The fields of an address. */
type Fields<Argument> = { [Field in keyof Argument]?: string };

/** The addresses of the documents of one scheme. */
export interface Addresses<Argument extends Fields<Argument>> {
  readonly scheme: string;
  uri(argument: Argument): vscode.Uri;
  /** What an address says; undefined if it is of another scheme. An address of an earlier version may say less. */
  argument(uri: vscode.Uri): Partial<Argument> | undefined;
}

/**
 * How the addresses of a scheme are written and read.
 * @param pattern names the fields in braces: `/runhook/{id}/{part}/{title}?{first}`. The tab shows the last segment of
 *   the path. A path is read from its end. Fields that are missing at the end of the query are left out.
 */
export function addresses<Argument extends Fields<Argument>>(
  scheme: string,
  pattern: string,
): Addresses<Argument> {
  const [path = '', query = ''] = pattern.split('?');
  const segments = path.split('/');
  const queryFields = query.split('&').map((one) => fieldOf(one).name);
  return {
    scheme,
    uri(argument) {
      const values: Record<string, string | undefined> = argument;
      const filled = segments.map((segment, index) => {
        const { before, name, after } = fieldOf(segment);
        const value = values[name] ?? '';
        // A slash would end the title.
        const isTitle = index === segments.length - 1;
        return before + (isTitle ? value.replaceAll('/', '∕') : encodeURIComponent(value)) + after;
      });
      const asked = queryFields.flatMap((name) => values[name] ?? []);
      return vscode.Uri.from({ scheme, path: filled.join('/'), query: asked.join('&') });
    },
    argument(uri) {
      if (uri.scheme !== scheme) return undefined;
      const found: Record<string, string> = {};
      const given = uri.path.split('/').slice(1).reverse();
      for (const [index, segment] of segments.slice(1).reverse().entries()) {
        const { before, name, after } = fieldOf(segment);
        const value = given[index]?.slice(before.length).slice(0, -after.length || undefined);
        if (name !== '' && value !== undefined) found[name] = index === 0 ? value : decodeURIComponent(value);
      }
      // The last field may contain the separator.
      const last = queryFields.length - 1;
      const asked = uri.query.split('&');
      const values = [...asked.slice(0, last), asked.slice(last).join('&')];
      for (const [index, name] of queryFields.entries()) {
        const value = values[index] ?? '';
        if (name !== '' && value !== '') found[name] = value;
      }
      return found as Partial<Argument>;
    },
  };
}

/** The field in a part of a pattern, and what stands before and after it. The name is empty if there is none. */
function fieldOf(part: string): { before: string; name: string; after: string } {
  const [, before = part, name = '', after = ''] = /^(.*)\{(\w+)\}(.*)$/.exec(part) ?? [];
  return { before, name, after };
}

/** Registers read-only documents that are made of their address. */
export function textDocuments<Argument extends Fields<Argument>>(
  of: Addresses<Argument>,
  text: (argument: Partial<Argument>) => string,
): { changed(argument: Argument): void; dispose(): void } {
  const changed = new vscode.EventEmitter<vscode.Uri>();
  const registered = vscode.workspace.registerTextDocumentContentProvider(of.scheme, {
    onDidChange: changed.event,
    provideTextDocumentContent: (asked) => text(of.argument(asked) ?? {}),
  });
  return {
    changed: (argument) => changed.fire(of.uri(argument)),
    dispose: () => void vscode.Disposable.from(registered, changed).dispose(),
  };
}

/** The content of a document. Times are in milliseconds since 1970. */
export interface Content {
  bytes: Uint8Array;
  ctime: number;
  /** The editor reads a document again only if this has grown. */
  mtime: number;
  isWritable?: boolean;
}

/**
 * A text as the bytes of a document. They have a mark only where the settings would have the editor read them as another
 * encoding: it shows the mark in the status bar.
 */
export function documentBytes(uri: vscode.Uri, text: string | Uint8Array): Uint8Array {
  const isReadAsUtf8 = ['json', responseLanguageId].every((languageId) => {
    const files = vscode.workspace.getConfiguration('files', { uri, languageId });
    return files.get('encoding') === 'utf8' && files.get('autoGuessEncoding') === false;
  });
  return isReadAsUtf8 ? Buffer.from(text) : withUtf8Mark(text);
}

/** Documents as bytes, which reach the editor unchanged. Their tabs are back after a reload. */
export interface FileDocuments {
  /** Fires with the documents whose content has changed. */
  readonly onDidChange: vscode.Event<readonly vscode.Uri[]>;
  /** @throws FileSystemError if there is no such document */
  read(uri: vscode.Uri): Promise<Content>;
  /** Absent if none can be written. */
  write?(uri: vscode.Uri, bytes: Uint8Array): Promise<void>;
}

/** The documents of a scheme, which are loaded when the first is opened. */
export interface LazyDocuments {
  /** Provides the documents. */
  fill(documents: FileDocuments): void;
  dispose(): void;
}

/** @param load must call `fill` before it resolves */
export function lazyDocuments(scheme: string, load: () => Promise<unknown>): LazyDocuments {
  const changed = new vscode.EventEmitter<vscode.FileChangeEvent[]>();
  const { promise: filled, resolve: fill } = Promise.withResolvers<FileDocuments>();
  const documents = () => load().then(() => filled);
  void filled.then(({ onDidChange }) =>
    onDidChange((uris) => changed.fire(uris.map((uri) => ({ type: vscode.FileChangeType.Changed, uri })))),
  );
  const refuse = (): never => {
    throw vscode.FileSystemError.NoPermissions();
  };
  const registered = vscode.workspace.registerFileSystemProvider(
    scheme,
    {
      onDidChangeFile: changed.event,
      stat: async (uri) => {
        const { bytes, ctime, mtime, isWritable = false } = await (await documents()).read(uri);
        const permissions = isWritable ? undefined : vscode.FilePermission.Readonly;
        return { type: vscode.FileType.File, ctime, mtime, size: bytes.length, permissions };
      },
      readFile: async (uri) => (await (await documents()).read(uri)).bytes,
      writeFile: async (uri, bytes) => {
        const found = await documents();
        if (found.write === undefined) refuse();
        else await found.write(uri, bytes);
      },
      // Every change is reported anyway.
      watch: () => new vscode.Disposable(() => undefined),
      readDirectory: refuse,
      createDirectory: refuse,
      delete: refuse,
      rename: refuse,
    },
    { isCaseSensitive: true },
  );
  return { fill, dispose: () => void vscode.Disposable.from(registered, changed).dispose() };
}

/** Documents that have something in common: the menus of their titles and texts go by the context key. */
export class MarkedDocuments {
  readonly #uris = new Set<string>();
  readonly #contextId: string;

  constructor(contextId: string) {
    this.#contextId = contextId;
  }

  /** @param uri as text */
  mark(uri: string, isMarked = true): void {
    if (this.#uris.has(uri) === isMarked) return;
    if (isMarked) this.#uris.add(uri);
    else this.#uris.delete(uri);
    void vscode.commands.executeCommand('setContext', this.#contextId, [...this.#uris]);
  }
}
