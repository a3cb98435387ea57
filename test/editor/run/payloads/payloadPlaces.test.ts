import assert from 'node:assert/strict';
import { access, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import * as vscode from 'vscode';
import { LastChoices } from '../../../../src/editor/run/lastChoices.ts';
import { Payloads } from '../../../../src/editor/run/payloads/payloads.ts';
import { textOf, PayloadStore } from '../../../../src/editor/run/payloads/payloadStore.ts';
import { WorkspacePayloads } from '../../../../src/editor/run/payloads/workspacePayloads.ts';
import { AnsweredPrompts } from '../../../support/editor/answeredPrompts.ts';
import {
  answerPrompts,
  command,
  hideProjects,
  setSetting,
  typeText,
} from '../../../support/editor/inEditor.ts';
import { MemoryMemento } from '../../../support/editor/memoryMemento.ts';
import { Receiver } from '../../../support/http/receiver.ts';

const folder = (): string => vscode.workspace.workspaceFolders![0]!.uri.fsPath;
const path = (name: string): string => join(folder(), `.runhook/payloads/greet/${name}.payload.json`);

async function clear(): Promise<void> {
  await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  await rm(join(folder(), '.runhook'), { recursive: true, force: true });
}

describe('a payload that Runhook makes', () => {
  const project = { id: 'p-places', serviceAccounts: [{ id: 'sa' }], apps: [{ id: 'greet' }] };
  const app = { projectId: project.id, appName: 'greet' };
  let service: Receiver;

  before(async () => {
    await hideProjects();
    service = await Receiver.start();
    await setSetting('baseUrl', service.url);
    await setSetting('proxyUrl', service.url);
    await command('addProject', project);
    await command('setToken', { projectId: project.id, serviceAccountId: 'sa', token: 'token-of-the-tests' });
  });
  afterEach(async () => {
    await answerPrompts();
    await clear();
  });
  after(async () => {
    await command('removeProject', { projectId: project.id });
    await setSetting('baseUrl', undefined);
    await setSetting('proxyUrl', undefined);
    await service.close();
  });

  it('lies in the workspace, and is run without a question until any part of it but the body is another', async () => {
    await answerPrompts();
    await command('runPayload', app);
    // What nobody has written is no file.
    await assert.rejects(access(path('greet')), { code: 'ENOENT' });
    const uri = vscode.Uri.parse(await command('openPayload', app));
    assert.equal(uri.fsPath, path('greet'));
    assert.equal(await readFile(uri.fsPath, 'utf8'), '{}\n');
    const file = uri.toString();
    await typeText(uri, '{"a": 1}');
    // Its user says with each run where the result goes.
    await command('runFile', { file });
    await command('runFile', { file, webhook: true });
    assert.deepEqual(
      service.received.map(({ body }) => body.toString()),
      ['{}', '{"a": 1}', '{"a": 1}'],
    );
    const others: object[] = [
      { query: { force: true } },
      { headers: { 'X-Admin': '1' } },
      { method: 'PUT' },
      { path: 'run2' },
      { path: 'run?force=1' },
      { webhook: true },
      { webhook: 'http://127.0.0.1:1/hook' },
    ];
    for (const block of others) {
      await typeText(uri, JSON.stringify({ $runhook: block, a: 1 }));
      await answerPrompts(false);
      assert.equal(await command('runFile', { file }), undefined);
      assert.deepEqual(await answerPrompts(), [], JSON.stringify(block));
    }
    await typeText(uri, '{"a": "${env:PATH}"}');
    await answerPrompts(false);
    assert.equal(await command('runFile', { file }), undefined);
    assert.deepEqual(await answerPrompts(), []);
    assert.equal(service.received.length, 3);
  });

  it('is not taken for one that stood there before, which is asked for', async () => {
    await mkdir(dirname(path('greet')), { recursive: true });
    await writeFile(path('brought'), '{}\n');
    assert.equal(await command('openPayload', app), vscode.Uri.file(path('brought')).toString());
    await answerPrompts(false);
    assert.equal(await command('runFile', { file: path('brought'), webhook: false }), undefined);
    assert.deepEqual(await answerPrompts(), []);
  });

  it('says so where its folder cannot be written to', async () => {
    await mkdir(join(folder(), '.runhook'), { recursive: true });
    await writeFile(join(folder(), '.runhook/payloads'), 'a file stands here');
    await assert.rejects(command('openPayload', app), /cannot be created as .*greet\.payload\.json/);
  });
});

describe('the payloads of a version that kept them on this machine', () => {
  const log = vscode.window.createOutputChannel('payload places', { log: true });
  const greet = { projectId: 'p-old', appName: 'greet' };
  const usual = new Map([['greet', 'p-old']]);
  let storage: string;
  let prompts: AnsweredPrompts;
  let memento: MemoryMemento;
  let store: PayloadStore;
  let shared: WorkspacePayloads | undefined;
  let payloads: Payloads;

  /** As that version wrote them. */
  async function stored(name: string, text: string, inFolder = 'payloads/p-old/greet'): Promise<string> {
    const file = join(storage, inFolder, `${name}.payload.json`);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text);
    return file;
  }
  /** What a window has of payloads. */
  function open(): Payloads {
    shared?.dispose();
    const found = (shared = new WorkspacePayloads(log));
    const last = new LastChoices(memento, () => true);
    const isUsual = ({ projectId, appName }: typeof greet) => usual.get(appName) === projectId;
    const created = (): Promise<void> => Promise.resolve();
    return new Payloads({ prompts, shared: found, store, last, isUsual, memento, log, created });
  }
  const listed = async (): Promise<string[]> =>
    (await payloads.list(greet)).map(({ place, name }) => `${place} ${name}`);

  beforeEach(async () => {
    storage = await mkdtemp(join(tmpdir(), 'runhook-storage-'));
    prompts = new AnsweredPrompts();
    memento = new MemoryMemento();
    store = new PayloadStore(vscode.Uri.file(storage));
    payloads = open();
  });
  afterEach(async () => {
    await clear();
    store.dispose();
    shared?.dispose();
    await rm(storage, { recursive: true });
  });
  after(() => log.dispose());

  it('are moved where the user agrees, once, with what was typed and not saved', async () => {
    const one = vscode.Uri.file(await stored('gr%c3%b6%c3%9fe%2f1', '{"a": 1}'));
    const two = vscode.Uri.file(await stored('two', '{"b": 1}'));
    await typeText(two, '{"b": "typed"}');
    await memento.update('run.lastPayloads', { '["p-old","greet"]': 'two' });
    prompts.answers = [true];
    const [first, second] = await Promise.all([payloads.last(greet), payloads.last(greet)]);
    assert.match(
      prompts.asked.join(),
      /^Move 2 payloads to the workspace\?\n.* now keeps payloads in \.runhook.payloads/,
    );
    assert.deepEqual(
      [first?.fsPath, second?.fsPath],
      [path('two'), path('two')],
      'the last one stays the last',
    );
    assert.equal(await textOf(first!), '{"b": "typed"}');
    assert.equal(await readFile(path('größe%2f1'), 'utf8'), '{"a": 1}');
    assert.deepEqual(await store.all(), []);
    await assert.rejects(readFile(one.fsPath));
    assert.deepEqual(await listed(), ['workspace größe/1', 'workspace two']);
  });

  it('stay where they are, and are listed, where the user declines; the list still moves them', async () => {
    await stored('one', '{"a": 1}');
    prompts.answers = [false];
    await payloads.last(greet);
    payloads = open();
    assert.equal(
      (await payloads.last(greet))?.fsPath,
      join(storage, 'payloads/p-old/greet/one.payload.json'),
    );
    assert.deepEqual(await listed(), ['machine one']);
    assert.equal(prompts.asked.length, 1);
    prompts.answers = ['Move Payloads from This Machine to the Workspace', 'one'];
    assert.equal((await payloads.pick(greet))?.fsPath, path('one'));
    assert.deepEqual(await listed(), ['workspace one']);
  });

  it('replace nothing, follow no link, and stay where a file would be run with another project', async () => {
    await mkdir(dirname(path('taken')), { recursive: true });
    await writeFile(path('taken'), '{"theirs": 1}');
    const outside = await mkdtemp(join(tmpdir(), 'runhook-outside-'));
    await symlink(outside, join(folder(), '.runhook/payloads/linked'));
    for (const name of ['linked', 'several']) usual.set(name, 'p-old');
    const files = [
      await stored('taken', '{"mine": 1}'),
      await stored('one', '{}', 'payloads/p-old/linked'),
      await stored('one', '{}', 'payloads/p-other/several'),
      await stored('one', '{}', 'payloads/p-gone/unheard'),
    ];
    await stored('free', '{"free": 1}');
    prompts.answers = [true];
    await payloads.pick(greet).catch(() => undefined);
    assert.match(prompts.asked[0]!, /^Move 3 payloads/);
    assert.match(
      prompts.asked[1]!,
      /stay on this machine.*: (greet\/taken, linked\/one|linked\/one, greet\/taken)\./,
    );
    for (const file of files) assert.match(await readFile(file, 'utf8'), /^\{("mine": 1)?\}$/);
    assert.equal(await readFile(path('taken'), 'utf8'), '{"theirs": 1}');
    assert.deepEqual(await listed(), ['workspace free', 'workspace taken', 'machine taken']);
    await rm(outside, { recursive: true });
  });

  it('stay where the folder cannot be written to', async () => {
    const file = await stored('one', '{"a": 1}');
    await mkdir(join(folder(), '.runhook'), { recursive: true });
    await writeFile(join(folder(), '.runhook/payloads'), 'a file stands here');
    prompts.answers = [true];
    assert.equal((await payloads.last(greet))?.fsPath, file);
    assert.equal(await readFile(file, 'utf8'), '{"a": 1}');
  });

  it('are removed by a reset, and those of the workspace stay', async () => {
    await stored('one', '{"a": 1}');
    await mkdir(dirname(path('two')), { recursive: true });
    await writeFile(path('two'), '{}');
    await store.erase();
    assert.deepEqual(await listed(), ['workspace two']);
  });
});
