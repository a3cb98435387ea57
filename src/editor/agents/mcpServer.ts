import * as vscode from 'vscode';

/** How the editor starts the MCP server, for agents that see no tools of extensions. Loaded by activation: it is small. */
export function mcpServerDefinition(extension: vscode.Extension<unknown>): vscode.McpStdioServerDefinition {
  const main = vscode.Uri.joinPath(extension.extensionUri, 'dist', 'runhook.js').fsPath;
  const { version } = extension.packageJSON as { version: string };
  // The editor asks before each tool that is not read-only, and the window before each that needs a token.
  const server = new vscode.McpStdioServerDefinition(
    'Runhook',
    process.execPath,
    [main, 'mcp', '--allow-write'],
    { ELECTRON_RUN_AS_NODE: '1' },
    version,
  );
  const [folder] = vscode.workspace.workspaceFolders ?? [];
  if (folder?.uri.scheme === 'file') server.cwd = folder.uri;
  return server;
}
