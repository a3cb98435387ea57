import * as v from 'valibot';
import * as vscode from 'vscode';
import { t } from '../../model/text/l10n.ts';
import { plainText } from '../../model/text/plainText.ts';
import { command } from '../commands.ts';
import { commandIds } from '../ids.ts';
import type { KeyLists } from './keys/keyLists.ts';
import type { ProjectQuestions } from './questions/projectQuestions.ts';
import type { RawKeys } from './keys/rawKeys.ts';
import type { ProjectsTree } from './tree/projectsTree.ts';

const account = v.object({ projectId: v.string(), serviceAccountId: v.string() });

/** The commands of the view itself: filter keys, show more keys, open the service's raw response, copy an id. */
export function viewCommands(
  tree: ProjectsTree,
  keyLists: KeyLists,
  questions: ProjectQuestions,
  rawKeys: RawKeys,
  view: Pick<vscode.TreeView<unknown>, 'description'>,
) {
  return {
    [commandIds.filterProjects]: command(v.object({ text: v.optional(v.string()) }), async (given) => {
      const text =
        given?.text ??
        (await questions.input({
          title: t('Filter Keys'),
          prompt: t('Show keys whose name or id contains this; empty for all'),
          value: tree.filter,
        }));
      tree.filter = text;
      view.description = tree.filter === '' ? '' : t('filter: {0}', plainText(tree.filter, 30));
    }),

    [commandIds.showMoreKeys]: command(account, (ref) => {
      if (ref !== undefined) tree.showMore(ref);
    }),

    [commandIds.openRawKeys]: command(account, async (ref) => {
      const state = ref && keyLists.state(ref);
      if (ref === undefined || state?.kind !== 'known' || state.last.list.kind !== 'unrecognised') return;
      await rawKeys.open(ref, state.last.list.raw);
    }),

    [commandIds.copyId]: command(
      v.object({
        projectId: v.optional(v.string()),
        serviceAccountId: v.optional(v.string()),
        appId: v.optional(v.string()),
        keyId: v.optional(v.string()),
      }),
      async (ref) => {
        const id = ref?.keyId ?? ref?.appId ?? ref?.serviceAccountId ?? ref?.projectId;
        await vscode.env.clipboard.writeText(id ?? '');
      },
    ),
  };
}
