import assert from 'node:assert/strict';
import { chmod, mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import * as vscode from 'vscode';
import { textOf } from '../../../../src/editor/run/payloads/payloadFile.ts';
import { answerPrompts, command, typeText } from '../../../support/editor/inEditor.ts';

const project = { id: 'p-moves', serviceAccounts: [{ id: 'sa' }], apps: [{ id: 'greet' }, { id: 'fresh' }] };
const app = { projectId: project.id, appName: 'greet' };

describe('a payload that is moved', () => {
  const folder = (): string => vscode.workspace.workspaceFolders![0]!.uri.fsPath;
  const path = (name: string): string => join(folder(), `.runhook/payloads/greet/${name}.payload.json`);
  const read = async (uri: string): Promise<string> => textOf(vscode.Uri.parse(uri));
  const isGone = async (uri: string): Promise<boolean> =>
    vscode.workspace.fs.stat(vscode.Uri.parse(uri)).then(
      () => false,
      () => true,
    );
  async function shared(name: string, text: string): Promise<string> {
    await mkdir(dirname(path(name)), { recursive: true });
    await writeFile(path(name), text);
    return vscode.Uri.file(path(name)).toString();
  }
  /** A payload of this machine, typed and not saved. */
  async function own(name: string, text: string): Promise<string> {
    const uri = await command<string>('openPayload', { ...app, name });
    await typeText(vscode.Uri.parse(uri), text);
    return uri;
  }

  before(() => command('addProject', project));
  afterEach(async () => {
    await answerPrompts();
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await rm(join(folder(), '.runhook'), { recursive: true, force: true });
  });
  after(() => command('removeProject', { projectId: project.id }));

  it('goes to the workspace and back, with what was typed and not saved', async () => {
    const before = await own('there and back', '{"a": 1}');
    const there = await command<string>('movePayloadToWorkspace', { ...app, name: 'there and back' });
    assert.equal(vscode.Uri.parse(there).fsPath, path('there and back'));
    assert.equal(await read(there), '{"a": 1}');
    assert.ok(await isGone(before));
    assert.equal(vscode.window.activeTextEditor?.document.uri.toString(), there);
    const back = await command<string>('movePayloadToMachine', { file: there });
    assert.equal(back, before);
    assert.equal(await read(back), '{"a": 1}');
    assert.ok(await isGone(there));
  });

  it('loses nothing where its name is taken: it gets another one, or replaces the other', async () => {
    const mine = await own('taken', '{"mine": 1}');
    const theirs = await shared('taken', '{"theirs": 1}');
    await answerPrompts(undefined);
    await assert.rejects(
      command('movePayloadToWorkspace', { ...app, name: 'taken' }),
      /No payload was moved/,
    );
    await answerPrompts('Keep Both…', 'free');
    const free = await command<string>('movePayloadToWorkspace', { file: mine });
    assert.equal(vscode.Uri.parse(free).fsPath, path('free'));
    assert.deepEqual([await read(free), await read(theirs)], ['{"mine": 1}', '{"theirs": 1}']);
    const last = await own('last', '{"last": 1}');
    await answerPrompts('Replace It');
    assert.equal(await command('movePayloadToWorkspace', { file: last, to: 'taken' }), theirs);
    assert.equal(await read(theirs), '{"last": 1}');
  });

  it('stays where it is where the folder cannot be written to', async function () {
    // An administrator may write everywhere.
    const mine = await own('stays', '{"a": 1}');
    await mkdir(join(folder(), '.runhook'), { recursive: true });
    if (process.getuid?.() === 0) await writeFile(join(folder(), '.runhook/payloads'), 'a file stands here');
    else await chmod(join(folder(), '.runhook'), 0o500);
    await assert.rejects(command('movePayloadToWorkspace', { file: mine }), /did not change the payload/);
    assert.equal(await read(mine), '{"a": 1}');
    await chmod(join(folder(), '.runhook'), 0o700);
  });

  it('asks before it is of the user where it has its result sent elsewhere', async () => {
    const webhook = 'https://elsewhere.example/collect';
    for (const block of [{ webhook }, { path: `run?x=1&webhook%45ndpoint=${encodeURIComponent(webhook)}` }]) {
      const file = await shared('elsewhere', JSON.stringify({ $runhook: block }));
      await answerPrompts((question: string, detail: string) => {
        assert.match(`${question} ${detail}`, /this machine\? .*https:\/\/elsewhere\.example\/collect/);
        return false;
      });
      await assert.rejects(command('movePayloadToMachine', { file }), /No payload was moved/);
      assert.deepEqual(await answerPrompts(), []);
      assert.equal(await isGone(file), false);
    }
  });

  it('is renamed, copied and deleted as those of this machine are', async () => {
    const file = await shared('one', '{"a": 1}');
    const two = await command<string>('renamePayload', { file, to: 'two' });
    const three = await command<string>('duplicatePayload', { file: two, to: 'three/3' });
    assert.equal(vscode.Uri.parse(three).fsPath, path('three%2f3'));
    await assert.rejects(command('renamePayload', { file: three, to: 'two' }), /already has a payload "two"/);
    await command('deletePayload', { file: two, confirmed: true });
    assert.deepEqual([await isGone(file), await isGone(two), await read(three)], [true, true, '{"a": 1}']);
    await assert.rejects(command('movePayloadToWorkspace', { file: three }), /not a payload of this machine/);
  });

  it('is what Run App takes where nothing was run yet', async () => {
    const file = await shared('first', '{"$runhook": {"app": "fresh"}}');
    assert.equal(await command('openPayload', { ...app, appName: 'fresh' }), file);
  });
});
