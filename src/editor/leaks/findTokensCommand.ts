import * as vscode from 'vscode';
import { fileText, longestText } from '../../leaks/fileText.ts';
import { type LeakSearchResult, type SearchedFile, searchLeaks } from '../../leaks/leakSearch.ts';
import { workspaceFiles } from '../../leaks/workspaceFiles.ts';
import { t } from '../../shared/text/l10n.ts';
import { sentences } from '../../shared/text/sentences.ts';
import { UserError } from '../../shared/text/userError.ts';
import { cancellableProgress } from '../kit/progress.ts';
import type { CommandsOf } from '../kit/commands.ts';
import { requireTrust } from '../kit/requireTrust.ts';
import type { Log } from '../kit/log.ts';
import type { EditorGit, KnownGit } from './editorGit.ts';
import { type HeldNeedles, openText, type TokenLeakWatch } from './tokenLeakWatch.ts';

/** What the command returns. Never the text of a token. */
export interface FoundTokens extends Omit<LeakSearchResult, 'found'> {
  /** `line` counts from 1, as the editor shows it. */
  found: { uri: string; line: number; kind: 'token' | 'webhookSecret' }[];
  /** `folders`: those that are in no repository, or are one that is not open. */
  skipped: LeakSearchResult['skipped'] & { folders: number };
}

interface FindTokens {
  needles: Pick<HeldNeedles, 'read'>;
  git: Pick<EditorGit, 'known'>;
  watch: Pick<TokenLeakWatch, 'mark'>;
  log: Log;
}

/** The command that looks through the workspace for tokens and webhook secrets. */
export function findTokensCommands({ needles, git, watch, log }: FindTokens) {
  return {
    findTokens: async (_given, from) => {
      const folders = (vscode.workspace.workspaceFolders ?? [])
        .filter(({ uri }) => uri.scheme === 'file')
        .map(({ uri }) => uri.fsPath);
      if (folders.length === 0) {
        throw new UserError(t('No folder is open. Open the folder to search.'), {
          remedies: [{ kind: 'openFolder' }],
        });
      }
      const { program, repositories } = await knownGit();
      const known = await needles.read();
      const result = await cancellableProgress(t('Searching for tokens'), async (signal, tell) => {
        const { files, leftOut, outside } = await workspaceFiles(folders, {
          program,
          repositories,
          signal,
          log,
        });
        if (files.length === 0 && folders.every((folder) => leftOut.includes(folder)))
          throw notListed(folders.every((folder) => outside.includes(folder)));
        const read = async ({ path, folder }: SearchedFile) => openText(path) ?? fileText(path, folder);
        const searched = await searchLeaks(files, { read, needles: known, signal, tell });
        return { ...searched, skipped: { ...searched.skipped, folders: leftOut.length } };
      });
      const found = result.found.map(({ path, places }) => ({ uri: vscode.Uri.file(path), places }));
      watch.mark(found, result.end === 'complete');
      if (from !== 'caller') tellFound(result, log);
      return {
        files: result.files,
        found: found.flatMap(({ uri, places }) =>
          places.map(({ kind, start }) => ({ uri: uri.toString(), line: start.line + 1, kind })),
        ),
        skipped: result.skipped,
        end: result.end,
      } satisfies FoundTokens;
    },
  } satisfies Partial<CommandsOf<'leaks'>>;
  async function knownGit(): Promise<KnownGit> {
    requireTrust(t('Git lists the files to search, but this workspace is not trusted. Trust it first.'));
    const known = await git.known();
    if (known !== undefined) return known;
    throw new UserError(
      t('Git lists the files to search, but the editor found no Git, or "git.enabled" is off.'),
      { remedies: [{ kind: 'openEditorSettings', ids: ['git.enabled', 'git.path'] }, { kind: 'tryAgain' }] },
    );
  }
}

function notListed(isOutside: boolean): UserError {
  if (isOutside) {
    return new UserError(
      t(
        'Nothing was searched: Git lists the files to search, and no open folder is in a repository. Run "git init" in it, or open another.',
      ),
      { remedies: [{ kind: 'openFolder' }, { kind: 'tryAgain' }] },
    );
  }
  return new UserError(
    t('Nothing was searched: Git does not list the files of this workspace. The log says why.'),
    { remedies: [{ kind: 'showLog' }, { kind: 'tryAgain' }] },
  );
}

/** What a search found, with the number of folders that git does not list. */
type Told = Omit<LeakSearchResult, 'skipped'> & {
  skipped: LeakSearchResult['skipped'] & { folders: number };
};

/** Reports what a search found and what it skipped. Does not wait for the user's answer. */
function tellFound(result: Told, log: Log): void {
  const message = sentences(foundText(result), endText(result), skippedText(result));
  if (result.found.length === 0) {
    void vscode.window.showInformationMessage(message);
    return;
  }
  const show = t('Show Problems');
  vscode.window
    .showWarningMessage(message, show)
    .then(async (answer) => {
      if (answer === show) await vscode.commands.executeCommand('workbench.actions.view.problems');
    })
    .then(undefined, (error: unknown) => log.error(String(error)));
}

function foundText({ files, found }: Told): string {
  const kinds = found.flatMap(({ places }) => places.map(({ kind }) => kind));
  if (kinds.length === 0)
    return t('None of your tokens or webhook secrets was found. Files searched: {0}.', files);
  const tokens = kinds.filter((kind) => kind === 'token').length;
  const secrets = kinds.length - tokens;
  return sentences(
    tokens > 0 ? t('Tokens: {0}.', tokens) : undefined,
    secrets > 0 ? t('Webhook secrets: {0}.', secrets) : undefined,
    t('Found in {0} of {1} files searched.', found.length, files),
  );
}

function endText({ end }: Told): string | undefined {
  if (end === 'cancelled') return t('The search was cancelled.');
  return end === 'enough' ? t('There may be more: the search stopped here.') : undefined;
}

function skippedText({ skipped }: Told): string | undefined {
  const parts = [
    ...(skipped.tooLarge > 0 ? [t('larger than {0} MB: {1}', longestText / 1e6, skipped.tooLarge)] : []),
    ...(skipped.binary > 0 ? [t('binary: {0}', skipped.binary)] : []),
    ...(skipped.folders > 0 ? [t('folders whose files Git does not list: {0}', skipped.folders)] : []),
    ...(skipped.unreadable > 0 ? [t('not readable: {0}', skipped.unreadable)] : []),
  ];
  return parts.length === 0 ? undefined : t('Left out: {0}.', parts.join(', '));
}
