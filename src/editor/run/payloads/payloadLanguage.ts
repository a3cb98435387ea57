import * as vscode from 'vscode';
import { commandIds } from '../../../contract/commands.ts';
import { plainPayload, settingsKey } from './payload.ts';
import { RecentValues, payloadOfRun } from './recentValues.ts';
import { parsed } from '../../../shared/json/exactJson.ts';
import { appName as nameOf } from '../../../service/projects/project.ts';
import { t } from '../../../shared/text/l10n.ts';
import { clicked } from '../../kit/commands.ts';
import { topLens } from '../../kit/topLens.ts';
import type { RunFeatureParts } from '../runCommands.ts';
import { type PayloadFile, textOf, type PayloadOwner } from './payloadStore.ts';
import { payloadsFor } from './payloadRows.ts';
import { withoutComments } from '../../../shared/json/jsonScanner.ts';
import { type JsonPath, jsonCursor } from '../../../shared/json/jsonCursor.ts';

/** Code lenses and completions for payload documents: links at the top, and values from recent payloads. */
export function payloadLanguage(
  {
    payloads: { store, shared },
    projects,
    runs: history,
    context: { subscriptions },
  }: Pick<RunFeatureParts, 'payloads' | 'projects' | 'runs' | 'context'>,
  changed: () => void,
) {
  // Whose a payload of the workspace is shows once those are found, and the project of its app is there.
  subscriptions.push(shared.onDidChange(changed), projects.onDidChange(changed));

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
      const lens = (command: string, title: string, argument: object, saysAll = true): vscode.CodeLens =>
        topLens(command, title, clicked(argument, saysAll));
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

/** How many characters of a value the completion list shows. */
const labelLength = 60;
/** The methods that the schema of payload documents already offers (media/payload.schema.json). */
const methodsOfSchema = new Set(['POST', 'GET', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS']);

/** Offers what recent payloads have at the cursor's position, the most recent first. */
function payloadCompletion(
  document: vscode.TextDocument,
  position: vscode.Position,
  recent: RecentValues,
): vscode.CompletionItem[] {
  const text = withoutComments(document.getText());
  const cursor = jsonCursor(text, document.offsetAt(position));
  if (cursor === undefined) return [];
  const range = new vscode.Range(document.positionAt(cursor.start), document.positionAt(cursor.end));
  const written = text.slice(cursor.start, cursor.end);
  const items =
    cursor.kind === 'key' ? keyItems(recent, cursor.path, cursor.hasColon) : valueItems(recent, cursor.path);
  for (const [index, item] of items.entries()) {
    item.range = range;
    item.detail = t('recent');
    item.sortText = String(index).padStart(4, '0');
    // Matches what is typed, with or without a leading quote.
    if (!written.startsWith('"')) item.filterText = item.filterText?.replace(/^"|"$/g, '') ?? '';
  }
  return items;
}

function keyItems(recent: RecentValues, path: JsonPath, hasValue: boolean): vscode.CompletionItem[] {
  // The schema offers the settings block and its keys.
  if (path.length === 1 && path[0] === settingsKey) return [];
  return [...recent.entries(path)]
    .filter(([key]) => path.length > 0 || key !== settingsKey)
    .map(([key, value]) => {
      const item = new vscode.CompletionItem(shortened(key), vscode.CompletionItemKind.Property);
      const quoted = JSON.stringify(key);
      item.filterText = quoted;
      item.insertText = hasValue ? quoted : `${quoted}: ${value}`;
      if (!hasValue) item.documentation = shortened(value);
      return item;
    });
}

function valueItems(recent: RecentValues, path: JsonPath): vscode.CompletionItem[] {
  return recent
    .values(path)
    .filter((text) => !isOfSchema(path, text))
    .map((text) => {
      const item = new vscode.CompletionItem(shortened(text), vscode.CompletionItemKind.Value);
      item.filterText = text;
      item.insertText = text;
      return item;
    });
}

function isOfSchema(path: JsonPath, text: string): boolean {
  const [block, key] = path;
  if (block !== settingsKey || path.length > 2) return false;
  if (key === 'webhook') return !text.startsWith('"');
  return key === 'method' && methodsOfSchema.has(String(parsed(text)));
}

function shortened(text: string): string {
  return text.length > labelLength ? `${text.slice(0, labelLength - 1)}…` : text;
}
