import * as vscode from 'vscode';
import type { LazyView } from '../kit/lazyView.ts';
import type { Node } from '../kit/tree.ts';
import type { CommandsOf } from '../commands.ts';
import { viewIds } from '../ids.ts';
import type { Services } from '../kit/services.ts';
import { ApiKeysPage } from './keys/apiKeysPage.ts';
import { keyCommands } from './keys/keyCommands.ts';
import { type RawKeys, rawKeys } from './keys/rawKeys.ts';
import { projectAddressCommands } from './projectAddresses.ts';
import { addCommands, changeCommands } from './projectCommands.ts';
import { NewEntries } from './questions/newEntries.ts';
import { ProjectQuestions } from './questions/projectQuestions.ts';
import { moveTokenCommands } from './tokens/moveTokenCommand.ts';
import { TokenCheck } from './tokens/tokenCheck.ts';
import { tokenCommands } from './tokens/tokenCommands.ts';
import type { AppRows, ProjectSources, ProjectsTree, ViewLines } from './projectsTree.ts';
import { t } from '../../model/text/l10n.ts';
import { plainText } from '../../model/text/plainText.ts';
import type { KeyLists } from './keys/keyLists.ts';

/** What the Projects view and its commands need. */
export interface ProjectsFeature extends Services {
  rows: LazyView<Node>;
  appRows: AppRows;
  lines: ViewLines;
}

/** All commands about projects, service accounts, tokens and keys. Loaded when the first one runs. */
export function commandSet(
  feature: ProjectsFeature & ProjectSources,
  tree: ProjectsTree,
): CommandsOf<'projects'> {
  const { projects, tokens, prompts, context, keyLists } = feature;
  const questions = new ProjectQuestions(projects, prompts);
  const check = new TokenCheck(keyLists, async (service, { projectId, serviceAccountId }) =>
    projects.hasToken(projectId, serviceAccountId, service),
  );
  const newEntries = new NewEntries(projects, questions, check);
  const parts = { ...feature, questions, newEntries, check };
  const open = (uri: vscode.Uri) => vscode.env.openExternal(uri);
  const page = new ApiKeysPage({ prompts, state: context.workspaceState, open });
  const raw = rawKeys();
  context.subscriptions.push(raw);
  return {
    ...addCommands(parts),
    ...changeCommands(parts),
    ...projectAddressCommands(projects, questions),
    ...tokenCommands(parts),
    openApiKeysPage: () => page.open(),
    ...moveTokenCommands(projects, tokens, questions),
    ...keyCommands(keyLists, questions, async (ref, { focus }) => {
      if (focus) await vscode.commands.executeCommand(`${viewIds.projects}.focus`);
      const node = tree.account(ref);
      if (node !== undefined) await feature.rows.view.reveal(node, { expand: true, select: focus });
    }),
    ...viewCommands(tree, keyLists, questions, raw, feature.rows.view),
  };
}

/** The commands of the view itself: filter keys, show more keys, open the service's raw response, copy an id. */
export function viewCommands(
  tree: ProjectsTree,
  keyLists: KeyLists,
  questions: ProjectQuestions,
  raw: RawKeys,
  view: Pick<vscode.TreeView<unknown>, 'description'>,
) {
  return {
    filterProjects: async (given) => {
      const text =
        given?.text ??
        (await questions.input({
          title: t('Filter Keys'),
          prompt: t('Show keys whose name or id contains this; empty for all'),
          value: tree.filter,
        }));
      tree.filter = text;
      view.description = tree.filter === '' ? '' : t('filter: {0}', plainText(tree.filter, 30));
    },

    showMoreKeys: (ref) => {
      if (ref !== undefined) tree.showMore(ref);
    },

    openRawKeys: async (ref) => {
      const state = ref && keyLists.state(ref);
      if (ref === undefined || state?.kind !== 'known' || state.last.list.kind !== 'unrecognised') return;
      await raw.open(ref, state.last.list.raw);
    },

    copyId: async (ref) => {
      const id = ref?.keyId ?? ref?.appId ?? ref?.serviceAccountId ?? ref?.projectId;
      await vscode.env.clipboard.writeText(id ?? '');
    },
  } satisfies Partial<CommandsOf<'projects'>>;
}
