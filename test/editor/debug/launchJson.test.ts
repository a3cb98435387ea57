import assert from 'node:assert/strict';
import { parse } from 'jsonc-parser';
import * as vscode from 'vscode';
import { answerPrompts, command, withoutAutoSave } from '../../support/editor/inEditor.ts';

const name = 'Debug Webhook Handler';
const flask = `
import os
from flask import Flask
SECRET = os.environ["HOOK_SECRET"]
app = Flask(__name__)
`;
const folder = vscode.workspace.workspaceFolders![0]!;
const uri = (...path: string[]) => vscode.Uri.joinPath(folder.uri, ...path);
const launch = uri('.vscode', 'launch.json');
const write = (file: vscode.Uri, text: string) => vscode.workspace.fs.writeFile(file, Buffer.from(text));
const isThere = (file: vscode.Uri) =>
  vscode.workspace.fs.stat(file).then(
    () => true,
    () => false,
  );
const written = async () => Buffer.from(await vscode.workspace.fs.readFile(launch)).toString();
const forwardTo = () => vscode.workspace.getConfiguration('runhook').inspect('listener.forwardTo');
const shownTexts = () => vscode.window.visibleTextEditors.map(({ document }) => document.getText());
const debug = () => command('debugHandler', { file: 'api/app.py', to: 'localhost:4100/webhook' });

describe('the launch.json that a handler is debugged by', () => {
  before(() => write(uri('api', 'app.py'), flask));
  afterEach(async () => {
    assert.deepEqual(await answerPrompts(), [], 'every answer was asked for');
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await vscode.workspace.getConfiguration('runhook').update('listener.forwardTo', undefined);
    if (await isThere(launch)) await vscode.workspace.fs.delete(launch);
  });
  after(() => vscode.workspace.fs.delete(uri('api'), { recursive: true }));

  it('is written once it was seen and agreed to, and not before', async () => {
    await answerPrompts('Leave It as It Is');
    await assert.rejects(debug(), /Nothing was written/);
    assert.equal(await isThere(launch), false);
    assert.equal(forwardTo()?.workspaceValue, undefined);
    await answerPrompts('Write');
    await debug();
    const { configurations } = JSON.parse(await written()) as { configurations: unknown[] };
    assert.deepEqual(configurations, [
      {
        name,
        type: 'debugpy',
        request: 'launch',
        module: 'flask',
        args: [
          ...['--app', '${workspaceFolder}/api/app.py', 'run', '--no-debugger', '--no-reload'],
          ...['--port', '4100'],
        ],
        preLaunchTask: 'runhook: listen',
        env: { HOOK_SECRET: '${command:runhook.webhookSecret}', PORT: '4100' },
      },
    ]);
    assert.equal(forwardTo()?.workspaceValue, 'http://localhost:4100/webhook');
  });

  it('keeps what is there, and has its configuration replaced after a question', async () => {
    const mine = `// mine\n{\n\t"configurations": [\n\t\t{ "name": "App" }, // first\n\t\t{ "name": "${name}" }\n\t]\n}\n`;
    await write(launch, mine);
    await answerPrompts('Leave It as It Is');
    await assert.rejects(debug(), /Nothing was written/);
    assert.equal(await written(), mine);
    await answerPrompts('Replace');
    await debug();
    const text = await written();
    assert.ok(text.startsWith(mine.slice(0, mine.indexOf(`{ "name": "${name}"`))));
    const { configurations } = parse(text) as { configurations: { name: string; type?: string }[] };
    assert.deepEqual(
      configurations.map((one) => [one.name, one.type]),
      [
        ['App', undefined],
        [name, 'debugpy'],
      ],
    );
  });

  it('is left alone where it has a mistake, and opened at it', async () => {
    const broken = '{\n  "configurations": [,]\n}\n';
    await write(launch, broken);
    await assert.rejects(debug(), /launch\.json has a mistake in line 2, column 22/);
    assert.equal(await written(), broken);
    assert.ok(shownTexts().includes(broken));
    assert.deepEqual(vscode.window.activeTextEditor?.selection.active, new vscode.Position(1, 21));
  });

  it('is left alone while it has changes that are not saved', async () => {
    await write(launch, '{}');
    const editor = await vscode.window.showTextDocument(launch);
    await withoutAutoSave(async () => {
      await editor.edit((edit) => edit.insert(new vscode.Position(0, 1), ' '));
      await assert.rejects(debug(), /launch\.json has changes that are not saved/);
      assert.equal(await written(), '{}');
      assert.equal(await editor.document.save(), true);
    });
  });

  it('is for files of the workspace that Node or Python runs', async () => {
    await write(uri('api', 'main.go'), 'package main');
    for (const file of ['api/main.go', process.execPath]) {
      await assert.rejects(command('debugHandler', { file, to: '4100' }), /cannot be debugged by Runhook/);
    }
    const named = 'api/${command:runhook.webhookSecret}.js';
    await write(uri(...(named.split('/') as [string, string])), '');
    await assert.rejects(command('debugHandler', { file: named, to: '4100' }), /takes "\$\{" for a variable/);
  });
});
