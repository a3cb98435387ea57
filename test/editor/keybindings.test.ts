import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { eventually } from '../support/editor/inEditor.ts';

/** What is offered where `|` stands in the user's keybindings.json. Nothing is saved. */
async function offered(text: string): Promise<string[]> {
  await vscode.commands.executeCommand('workbench.action.openGlobalKeybindingsFile');
  const editor = vscode.window.activeTextEditor!;
  const { document } = editor;
  assert.match(document.uri.path, /\/User\/keybindings\.json$/);
  const whole = new vscode.Range(
    new vscode.Position(0, 0),
    document.lineAt(document.lineCount - 1).range.end,
  );
  await editor.edit((edit) => edit.replace(whole, text.replace('|', '')));
  const at = document.positionAt(text.indexOf('|'));
  const list = await vscode.commands.executeCommand<vscode.CompletionList>(
    'vscode.executeCompletionItemProvider',
    document.uri,
    at,
  );
  return list.items.map(({ label }) => (typeof label === 'string' ? label : label.label));
}

/** As `offered`, once the program that knows the schemas has started. */
const offeredWith = (text: string, one: string): Promise<string[]> =>
  eventually(async () => {
    const labels = await offered(text);
    return labels.includes(one) ? labels : undefined;
  });

describe('keybindings.json of the user', () => {
  afterEach(() => vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor'));

  it('offers the fields of the argument of a command, but for tokens and secrets', async () => {
    const labels = await offeredWith('[{"key": "f9", "command": "runhook.runApp", "args": {|}}]', 'appName');
    for (const field of ['projectId', 'path', 'body', 'webhook', 'quiet'])
      assert.ok(labels.includes(field), field);
    assert.ok(!labels.includes('signal'));
    const ofToken = await offeredWith(
      '[{"key": "f9", "command": "runhook.setToken", "args": {|}}]',
      'serviceAccountId',
    );
    assert.ok(!ofToken.includes('token'));
    assert.ok(!ofToken.includes('appName'), 'of another command');
  });

  it('offers the values that a field may have', async () => {
    const text = '[{"key": "f9", "command": "runhook.openTunnel", "args": {"provider": |}}]';
    const labels = await offeredWith(text, '"ngrok"');
    assert.ok(labels.includes('"cloudflared"'));
  });
});
