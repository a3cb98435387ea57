import type { AppRef } from '../../service/projects/project.ts';
import { t } from '../../shared/text/l10n.ts';
import { logError } from '../kit/log.ts';
import { showDocument } from '../kit/showDocument.ts';
import { plainText } from '../../shared/text/plainText.ts';
import type { AnswerStore } from './answers/answerFile.ts';
import { payloadsFor } from './payloads/payloadRows.ts';
import { moveFile, type PayloadFile } from './payloads/payloadStore.ts';
import type { WorkspacePayloads } from './payloads/workspacePayloads.ts';
import type { RunFeatureParts } from './runCommands.ts';
import * as vscode from 'vscode';

/**
 * An app got another name, by which its runs, choices and payloads are kept: they go with it. Files of the workspace are
 * moved only if the user agrees.
 * @param mayAsk otherwise they stay
 */
export async function renamedApp(
  parts: RunFeatureParts & { answers: AnswerStore },
  from: AppRef,
  to: AppRef,
  mayAsk: boolean,
): Promise<void> {
  const { runs, answers, last, payloads, prompts } = parts;
  const { store, shared } = payloads;
  const moved = await runs.rename(from, to);
  await answers.move(moved, from, to);
  await last.rename(from, to);
  for (const { uri, name } of await store.list(from)) await moveFile(uri, store.uri({ ...to, name }));
  store.tellChange();
  if (!mayAsk) return;
  const files = await filesByFolder(shared, from);
  const isMovable = ({ uri }: PayloadFile) => files.some((one) => one.uri.toString() === uri.toString());
  const naming = payloadsFor(from, await shared.all()).filter((one) => !isMovable(one));
  tellOfNames(parts, naming, from, to).catch((error: unknown) => logError(parts.log, error));
  if (files.length === 0) return;
  const names = files.map(({ uri }) => plainText(vscode.workspace.asRelativePath(uri), 100));
  const question = t('Move the payloads of {0} to {1}?', plainText(from.appName), plainText(to.appName));
  if (!(await prompts.confirm(question, names.join('\n'), t('Move')))) return;
  for (const { uri, name, folder } of files) await moveFile(uri, await shared.place(folder, to, name));
}

/** Payloads that name the app inside keep the old name: they may be shared with others. */
async function tellOfNames(
  { prompts }: RunFeatureParts,
  files: readonly PayloadFile[],
  from: AppRef,
  to: AppRef,
): Promise<void> {
  const [first] = files;
  if (first === undefined) return;
  const names = files.map(({ uri }) => plainText(vscode.workspace.asRelativePath(uri), 100)).join(', ');
  const [old, now] = [plainText(from.appName), plainText(to.appName)];
  const message = t('These payloads still name the app {0}: {2}. Change it to {1} there.', old, now, names);
  const verb = t('Open File');
  if ((await prompts.tell(message, [verb], 'information')) === verb) await showDocument(first.uri);
}

/** The payloads of the workspace that are those of an app by their folder, and not by what stands in them. */
async function filesByFolder(shared: WorkspacePayloads, app: AppRef) {
  const found: (PayloadFile & { folder: vscode.WorkspaceFolder })[] = [];
  for (const one of payloadsFor(app, await shared.all())) {
    const folder = shared.folderOf(one.uri);
    if (folder === undefined) continue;
    const place = await shared.place(folder, app, one.name);
    if (place.toString() === one.uri.toString()) found.push({ ...one, folder });
  }
  return found;
}
