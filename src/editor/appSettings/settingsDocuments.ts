import * as vscode from 'vscode';
import { schemes } from '../ids.ts';

/** Read-only documents of settings, for the diff view. The text lies in the address, so they outlive a reload. */
export class SettingsDocuments implements vscode.TextDocumentContentProvider {
  /** @param settings as `settingsText` writes them */
  uri(name: string, settings: string): vscode.Uri {
    const path = `/${name.replaceAll('/', '∕')}.json`;
    return vscode.Uri.from({ scheme: schemes.settings, path, query: settings });
  }

  provideTextDocumentContent(uri: vscode.Uri): string {
    return `${uri.query}\n`;
  }
}
