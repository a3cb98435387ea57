import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { eventually } from '../../support/editor/inEditor.ts';
import { writeTasksJson } from '../../support/editor/taskRuns.ts';

describe('a tasks.json', () => {
  afterEach(async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await writeTasksJson([]);
  });

  it('is completed: what a task does, and what it takes', async () => {
    await writeTasksJson([{ label: 'some', type: 'runhook', task: 'listen' }]);
    const folder = vscode.workspace.workspaceFolders![0]!.uri;
    const document = await vscode.workspace.openTextDocument(
      vscode.Uri.joinPath(folder, '.vscode', 'tasks.json'),
    );
    /** What is offered behind that text. */
    const offered = async (behind: string): Promise<string[]> => {
      const at = document.positionAt(document.getText().indexOf(behind) + behind.length);
      const list = await vscode.commands.executeCommand<vscode.CompletionList>(
        'vscode.executeCompletionItemProvider',
        document.uri,
        at,
      );
      return list.items.map(({ label }) => (typeof label === 'string' ? label : label.label));
    };
    const includes = (behind: string, all: readonly string[]) =>
      eventually(async () => {
        const found = await offered(behind);
        return all.every((one) => found.includes(one)) ? true : undefined;
      });
    assert.ok(await includes('"task":"', ['"listen"', '"sandbox"', '"apply"', '"run"', '"send"']));
    assert.ok(await includes('{', ['version']));
    assert.ok(await includes('"runhook",', ['payload', 'waitForDelivery', 'fixture', 'to', 'file']));
  });
});
