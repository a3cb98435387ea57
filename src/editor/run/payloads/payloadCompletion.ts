import * as vscode from 'vscode';
import { withoutComments } from '../../../model/json/commentedJson.ts';
import { jsonCursor, type JsonPath } from '../../../model/json/jsonCursor.ts';
import { settingsKey } from '../../../model/runs/payload.ts';
import { parsed, type RecentValues } from '../../../model/runs/recentValues.ts';
import { t } from '../../../model/text/l10n.ts';

/** How many characters of a value the completion list shows. */
const labelLength = 60;
/** The methods that the schema of payload documents already offers (media/payload.schema.json). */
const methodsOfSchema = new Set(['POST', 'GET', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS']);

/** Offers what recent payloads have at the cursor's position, the most recent first. */
export function payloadCompletion(
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
