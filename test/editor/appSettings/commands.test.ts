import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { statusBarMessagesDuring } from '../../support/editor/statusBarMessages.ts';
import { waitFor } from '../../support/time/waitFor.ts';
import { codeLenses } from '../../support/editor/codeLenses.ts';

interface SandboxInfo {
  projectId: string;
  apps: { id: string; name: string }[];
}

const apply = async (argument: object): Promise<{ applied: unknown }> =>
  vscode.commands.executeCommand('runhook.applyAppSettings', argument);

const answerPrompts = async (...answers: unknown[]): Promise<unknown> =>
  vscode.commands.executeCommand('runhook.test.answerPrompts', answers);

describe('the commands of app settings', () => {
  let app: { projectId: string; appId: string };
  const tabs = () => vscode.window.tabGroups.all.flatMap((group) => group.tabs.map(({ label }) => label));

  before(async () => {
    const sandbox = await vscode.commands.executeCommand<SandboxInfo>('runhook.startSandbox');
    app = { projectId: sandbox.projectId, appId: sandbox.apps[0]!.id };
  });
  after(async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await vscode.commands.executeCommand('runhook.stopSandbox');
  });

  it('applyAppSettings applies, and returns what was applied', async () => {
    const settings = { gpuCount: 2, memory: '0.5', compute: 'ADA_L4' };
    assert.deepEqual(await apply({ ...app, settings }), { applied: settings });
    assert.deepEqual(await apply({ ...app, settings }), { applied: settings }, 'once more, all of it');
  });

  const refused: [string, object, RegExp][] = [
    ['a value above its range', { settings: { gpuCount: 9 } }, /gpuCount: Enter 8 or less/],
    ['a value below its range', { settings: { cooldownPeriodSeconds: 0 } }, /Enter 1 or more/],
    ['what JSON may not carry exactly', { settings: { minReplicaCount: 2 ** 53 } }, /9007199254740991/],
    [
      'a number where a string goes',
      { settings: { memory: 8 } },
      /memory: Give it as a string, in quotes: "8"/,
    ],
    ['an unknown setting', { settings: { replicas: 1 } }, /no setting "replicas"/],
    ['no settings at all', { settings: {} }, /nothing to apply/],
    ['settings that are a list', { settings: [] }, /JSON object/],
    ['an unknown app', { appId: 'nobody', settings: { gpuCount: 1 } }, /nobody/],
  ];
  for (const [what, part, reason] of refused) {
    it(`applyAppSettings rejects ${what}`, () => assert.rejects(apply({ ...app, ...part }), reason));
  }

  it('applyAppSettings asks for what it lacks', async () => {
    await answerPrompts('{"gpuCount": 1}');
    assert.deepEqual(await apply(app), { applied: { gpuCount: 1 } });
  });

  it('editAppSettings opens one form an app', async () => {
    await vscode.commands.executeCommand('runhook.editAppSettings', app);
    await vscode.commands.executeCommand('runhook.editAppSettings', app);
    await waitFor('the form', () => tabs().filter((label) => label.endsWith('Settings')).length === 1);
    await assert.rejects(
      Promise.resolve(vscode.commands.executeCommand('runhook.editAppSettings', { ...app, appId: 'nobody' })),
      /nobody/,
    );
  });

  it('a settings file has links, applies, and names what does not fit', async () => {
    const folder = vscode.workspace.workspaceFolders![0]!.uri.fsPath;
    const path = join(folder, 'hello.runhook.json');
    const file = vscode.Uri.file(path).toString();
    await writeFile(path, JSON.stringify({ app: app.appId, settings: { minReplicaCount: 1 } }));
    await vscode.window.showTextDocument(vscode.Uri.file(path));
    const lenses = await codeLenses(vscode.Uri.file(path));
    assert.deepEqual(
      lenses.map(({ command }) => command),
      ['runhook.applySettingsFile', 'runhook.openSettingsFile'],
    );
    const said = await statusBarMessagesDuring(async () => {
      const applied = await vscode.commands.executeCommand('runhook.applySettingsFile', { file });
      assert.deepEqual(applied, { applied: { minReplicaCount: 1 } });
    });
    assert.deepEqual(said, ['Applied 1 setting to hello.']);
    await vscode.commands.executeCommand('runhook.openSettingsFile', { file });

    const bad = join(folder, 'bad.runhook.json');
    await writeFile(bad, JSON.stringify({ app: app.appId, settings: { gpuCount: 99 } }));
    await assert.rejects(
      Promise.resolve(
        vscode.commands.executeCommand('runhook.applySettingsFile', {
          file: vscode.Uri.file(bad).toString(),
        }),
      ),
      /gpuCount: Enter 8 or less/,
    );
  });

  it('the JSON editor marks what breaks a limit in a settings file', async function () {
    const folder = vscode.workspace.workspaceFolders![0]!.uri;
    const uri = vscode.Uri.joinPath(folder, 'marked.runhook.json');
    const text = '{"app": "hello", "settings": {"cpu": "101", "gpuCount": 2}}';
    await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(text));
    await vscode.window.showTextDocument(uri);
    const found = await waitFor('a diagnostic', () => vscode.languages.getDiagnostics(uri)[0]);
    assert.match(found.message, /0 to 100/);
  });
});
