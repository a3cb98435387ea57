import * as vscode from 'vscode';
import { t } from '../../model/text/l10n.ts';
import type { Log } from '../log.ts';
import { longestText } from '../../leaks/fileText.ts';
import type { LeakSearchResult } from '../../leaks/leakSearch.ts';

/** What a search found, with the number of folders that git does not list. */
type Told = Omit<LeakSearchResult, 'skipped'> & {
  skipped: LeakSearchResult['skipped'] & { folders: number };
};

/** Reports what a search found and what it skipped. Does not wait for the user's answer. */
export function tellFound(result: Told, log: Log): void {
  const message = [foundText(result), ...endText(result), ...skippedText(result)].join(' ');
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
  if (kinds.length === 0) return t('No token and no webhook secret. Files searched: {0}.', files);
  const tokens = kinds.filter((kind) => kind === 'token').length;
  return t(
    'Tokens: {0}. Webhook secrets: {1}. They are in {2} of the {3} files searched.',
    tokens,
    kinds.length - tokens,
    found.length,
    files,
  );
}

function endText({ end }: Told): string[] {
  return [
    ...(end === 'cancelled' ? [t('The search was cancelled.')] : []),
    ...(end === 'enough' ? [t('There may be more: the search ended here.')] : []),
  ];
}

function skippedText({ skipped }: Told): string[] {
  const parts = [
    ...(skipped.tooLarge > 0 ? [t('larger than {0} MB: {1}', longestText / 1e6, skipped.tooLarge)] : []),
    ...(skipped.binary > 0 ? [t('binary: {0}', skipped.binary)] : []),
    ...(skipped.folders > 0 ? [t('folders whose files git does not list: {0}', skipped.folders)] : []),
    ...(skipped.unreadable > 0 ? [t('not readable: {0}', skipped.unreadable)] : []),
  ];
  return parts.length === 0 ? [] : [t('Left out: {0}.', parts.join(', '))];
}
