import * as vscode from 'vscode';
import { plainPayload } from '../../../model/runs/payload.ts';
import { parsed, payloadOfRun, RecentValues } from '../../../model/runs/recentValues.ts';
import { appName as nameOf } from '../../../model/projects/project.ts';
import { t } from '../../../model/text/l10n.ts';
import { clicked } from '../../commands.ts';
import { commandIds } from '../../ids.ts';
import type { RunFeatureParts } from '../commandSet.ts';
import { payloadCompletion } from './payloadCompletion.ts';
import { type PayloadFile, textOf } from './payloadFile.ts';
import { payloadsFor } from './payloadRows.ts';
import type { PayloadOwner } from './payloadStore.ts';

/** Code lenses and completions for payload documents: links at the top, and values from recent payloads. */
export function payloadLanguage({
  payloads: { store, shared },
  projects,
  runs: history,
}: Pick<RunFeatureParts, 'payloads' | 'projects' | 'runs'>) {
  /** The payloads of recent runs of the app, newest first, then its other payloads. */
  async function recent(owner: PayloadOwner, uri: vscode.Uri): Promise<unknown[]> {
    const runs = history.list(owner).map(({ input }) => payloadOfRun(input));
    const all = [...(await store.list(owner)), ...payloadsFor(owner, shared.known().payloads)];
    return [...runs, ...(await Promise.all(others(all, uri).map(valueOf)))];
  }

  /** The app of a document. If several projects have the app of a workspace file, the first one is used. */
  function ownerOf(uri: vscode.Uri): PayloadOwner | undefined {
    const file = uri.toString();
    const found = shared.folderOf(uri) && shared.known().payloads.find((one) => one.uri.toString() === file);
    if (found === undefined) return store.owner(uri);
    const { name, appName, projectId } = found;
    const project = projects
      .all()
      .find(({ id, apps }) => (projectId ?? id) === id && apps.some((app) => nameOf(app) === appName));
    return project && { projectId: project.id, appName, name };
  }

  return {
    provideCodeLenses({ uri }: vscode.TextDocument): vscode.CodeLens[] {
      const owner = ownerOf(uri);
      const top = new vscode.Range(0, 0, 0, 0);
      const lens = (command: string, title: string, argument: object, saysAll = true): vscode.CodeLens =>
        new vscode.CodeLens(top, { command, title, arguments: clicked(argument, saysAll) });
      const file = uri.toString();
      return [
        lens(commandIds.runFile, `$(play) ${t('Run')}`, { file }),
        lens(commandIds.runFile, `$(radio-tower) ${t('Run with Webhook')}`, { file, webhook: true }),
        ...(owner ? [lens(commandIds.openPayload, t('Payloads…'), { ...owner, name: '' }, false)] : []),
      ];
    },
    /** Offers nothing if the document is not a payload of an app. */
    async provideCompletionItems(document: vscode.TextDocument, at: vscode.Position) {
      const owner = ownerOf(document.uri);
      return owner === undefined
        ? []
        : payloadCompletion(document, at, new RecentValues(await recent(owner, document.uri)));
    },
  };
}

/** How many other payloads of the app are read. */
const mostOthers = 50;

function others(all: readonly PayloadFile[], current: vscode.Uri): PayloadFile[] {
  const file = current.toString();
  return all.filter(({ uri }) => uri.toString() !== file).slice(0, mostOthers);
}

async function valueOf({ uri }: PayloadFile): Promise<unknown> {
  // A payload that was deleted meanwhile has nothing to offer.
  const text = await textOf(uri).catch(() => '');
  return parsed(plainPayload(text));
}
