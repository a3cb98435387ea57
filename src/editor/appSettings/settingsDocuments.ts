import * as vscode from 'vscode';
import type { AppSettings } from '../../model/appSettings.ts';
import { settingsText } from '../../model/applied.ts';

const scheme = 'runhook-settings';

/** Read-only documents of settings, for the diff view. The text lies in the address, so they outlive a reload. */
export class SettingsDocuments implements vscode.TextDocumentContentProvider {
  register(): vscode.Disposable {
    return vscode.workspace.registerTextDocumentContentProvider(scheme, this);
  }

  uri(name: string, settings: AppSettings): vscode.Uri {
    const path = `/${name.replaceAll('/', '∕')}.json`;
    return vscode.Uri.from({ scheme, path, query: settingsText(settings) });
  }

  provideTextDocumentContent(uri: vscode.Uri): string {
    return `${uri.query}\n`;
  }
}
