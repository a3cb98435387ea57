import * as vscode from 'vscode';
import { targetText } from '../../model/routes/targetText.ts';
import { handlerConfigurationName } from '../../model/tasks/handlerConfiguration.ts';
import { t } from '../../model/text/l10n.ts';
import type { Prompts } from '../prompts/prompts.ts';
import type { PlannedLaunch } from './launchFile.ts';

/** The URI scheme of the two sides of the preview, which are not files on a disk. */
const scheme = 'runhook-launch';

/** A counter that tells previews apart: the editor may still hold the texts of the previous one. */
let previews = 0;

/**
 * Shows a diff of launch.json and asks whether to write it. The question is not modal, so that the user can scroll
 * through the diff.
 * @param to where deliveries will be forwarded; undefined if they go there already
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
          ? t('"{0}" is already in {1}. Replace it?', handlerConfigurationName, shown)
          : t('Write {0}?', shown),
        [
          {
            ...(replaces ? { label: t('Replace') } : { label: t('Write'), description: adds }),
            ...(detail !== undefined && { detail }),
            value: true,
          },
          { label: t('Leave It as It Is'), value: false },
        ],
        // Keeps the question open while the user scrolls through the preview.
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
