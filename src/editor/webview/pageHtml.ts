import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';

/** The folders that a page may load from: its script, its styles and the icons. Nothing else on this machine. */
export function pageResources(extensionUri: vscode.Uri): vscode.Uri[] {
  return [vscode.Uri.joinPath(extensionUri, 'dist'), vscode.Uri.joinPath(extensionUri, 'media')];
}

/**
 * The HTML document of a page. It is empty: the script renders the page.
 * @param name the name of its script in `dist` and of its styles in `media`
 */
export function pageHtml(
  webview: vscode.Webview,
  extensionUri: vscode.Uri,
  name: string,
  title: string,
): string {
  const uri = (...path: string[]) =>
    escaped(webview.asWebviewUri(vscode.Uri.joinPath(extensionUri, ...path)).toString());
  const nonce = randomBytes(18).toString('base64');
  const source = webview.cspSource;
  const policy = [
    "default-src 'none'",
    `style-src ${source}`,
    `font-src ${source}`,
    `img-src ${source}`,
    `script-src 'nonce-${nonce}'`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
  return `<!DOCTYPE html>
<html lang="${escaped(vscode.env.language)}">
  <head>
    <meta charset="utf-8" />
    <meta http-equiv="Content-Security-Policy" content="${escaped(policy)}" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>${escaped(title)}</title>
    <link id="vscode-codicon-stylesheet" rel="stylesheet" href="${uri('dist', 'codicons', 'codicon.css')}" />
    <link rel="stylesheet" href="${uri('media', 'page.css')}" />
    <link rel="stylesheet" href="${uri('media', `${name}.css`)}" />
  </head>
  <body>
    <main id="${name}"></main>
    <script nonce="${nonce}" src="${uri('dist', `${name}.js`)}"></script>
  </body>
</html>`;
}

function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
}
