import * as vscode from 'vscode';
import { targetText } from '../../model/routes/targetText.ts';
import { handlerConfigurationName } from '../../model/tasks/handlerConfiguration.ts';
import { t } from '../../model/text/l10n.ts';
import type { Prompts } from '../prompts/prompts.ts';
import type { PlannedLaunch } from './launchFile.ts';

/** Of the texts that are compared: there is no such file yet. */
const scheme = 'runhook-launch';

/** Tells previews apart: the editor may still have the texts of the one before. */
let previews = 0;

/**
 * Shows what launch.json will be beside what it is, and asks whether to write it. Not by a modal question: one could
 * not look through the two then.
 * @param to where deliveries are to be forwarded to; undefined where they are already
 */
export async function agreesToLaunch(
  prompts: Prompts,
  { uri, shown, before, text, replaces }: PlannedLaunch,
  to: URL | undefined,
): Promise<boolean> {
  previews += 1;
  const fragment = String(previews);
  const texts: Record<string, string> = { before: before ?? '', after: text };
  const of = (query: string) => vscode.Uri.from({ scheme, path: uri.path, query, fragment });
  const provider = vscode.workspace.registerTextDocumentContentProvider(scheme, {
    provideTextDocumentContent: ({ query }) => texts[query],
  });
  const after = of('after');
  const title = t('{0} (preview)', shown);
  try {
    await vscode.commands.executeCommand('vscode.diff', of('before'), after, title);
    const adds = t('Adds "{0}" to it.', handlerConfigurationName);
    const detail = to && t('Deliveries: {0}', targetText({ kind: 'given', to: to.href }));
    return (
      (await prompts.pick(
        replaces
          ? t('"{0}" is in {1} already. Replace it?', handlerConfigurationName, shown)
          : t('Write {0}?', shown),
        [
          {
            ...(replaces ? { label: t('Replace') } : { label: t('Write'), description: adds }),
            ...(detail !== undefined && { detail }),
            value: true,
          },
          { label: t('Leave It as It Is'), value: false },
        ],
        // Whoever scrolls through the preview has not answered.
        { step: { number: 1, of: 1 } },
      )) ?? false
    );
  } finally {
    const isPreview = ({ input }: vscode.Tab) =>
      input instanceof vscode.TabInputTextDiff && input.modified.toString() === after.toString();
    const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
    await vscode.window.tabGroups.close(tabs.filter(isPreview));
    provider.dispose();
  }
}
