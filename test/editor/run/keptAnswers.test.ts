import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { WholeDelivery } from '../../../src/contract/delivery.ts';
import type { RunAppResult } from '../../../src/editor/run/send.ts';
import { answerPrompts, command, eventually, setSetting } from '../../support/editor/inEditor.ts';

const scheme = 'runhook-answer';

describe('the answers of runs that are kept', () => {
  let app: { projectId: string; appName: string };
  let local: Server;
  let folder: string;
  /** What the user's own app answers, one after the other. */
  let answers: { type: string; body: string | Buffer }[];
  /** Told of a call, which then stays without a response. */
  let held: (() => void) | undefined;

  before(async () => {
    local = createServer((_, response) => {
      if (held !== undefined) {
        held();
        return;
      }
      const { type, body } = answers.shift() ?? { type: 'text/plain', body: 'nothing left' };
      response.writeHead(200, { 'Content-Type': type, 'Set-Cookie': 'session=of-the-app' });
      response.end(body);
    });
    await new Promise<void>((resolve) => local.listen(0, '127.0.0.1', resolve));
    const mine = `http://127.0.0.1:${(local.address() as AddressInfo).port}`;
    await setSetting('sandbox.apps', { mine });
    const { projectId } = await command<{ projectId: string }>('startSandbox');
    app = { projectId, appName: 'mine' };
    folder = await mkdtemp(join(tmpdir(), 'runhook-saved-'));
  });
  afterEach(async () => {
    await answerPrompts();
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });
  after(async () => {
    await command('clearRuns', { ...app, confirmed: true }).then(undefined, () => undefined);
    await command('stopSandbox');
    await setSetting('sandbox.apps', undefined);
    local.closeAllConnections();
    local.close();
    await rm(folder, { recursive: true });
  });

  /** Runs the app without showing it. @returns Runhook's id of the run */
  async function run(body: string | Buffer, type = 'application/json', given: object = {}): Promise<string> {
    answers = [{ type, body }];
    const sent = { ...app, body: { asked: 1.5 }, quiet: true, ...given };
    return (await command<RunAppResult>('runApp', sent)).id;
  }
  const shown = (fits: RegExp): Promise<vscode.TextDocument> =>
    eventually(() =>
      vscode.window.visibleTextEditors
        .map(({ document }) => document)
        .find((document) => document.uri.scheme === scheme && fits.test(document.getText())),
    );

  it('open by a click on their run, those of quiet runs too, and hold no cookie', async () => {
    const id = await run('{"a":1.0}');
    await command('openRunAnswer', { id });
    const document = await shown(/^200 OK · 9 B · .*\n\n\{\n  "a": 1\.0\n\}\n/);
    assert.match(document.getText(), /\n  set-cookie: •+\n/);
    assert.doesNotMatch(document.getText(), /of-the-app/);
  });

  it('open where they are shown, and not a second time in the group of who asks', async () => {
    const id = await run('{"a":1}');
    await command('openRunAnswer', { id });
    const { uri } = await shown(/"a": 1/);
    const other = await vscode.workspace.openTextDocument({ content: 'of the user' });
    await vscode.window.showTextDocument(other, vscode.ViewColumn.Beside);
    await command('openRunAnswer', { id });
    const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
    const ofRun = tabs.filter(
      ({ input }) => input instanceof vscode.TabInputText && String(input.uri) === String(uri),
    );
    assert.equal(ofRun.length, 1);
    // That of another run takes its place, and not that of the document in front.
    await vscode.window.showTextDocument(other, vscode.ViewColumn.Two);
    await command('openRunAnswer', { id: await run('{"a":2}') });
    const { viewColumn } = vscode.window.visibleTextEditors.find(
      ({ document }) => document.uri.scheme === scheme,
    )!;
    assert.equal(viewColumn, vscode.ViewColumn.One);
    assert.equal(vscode.window.tabGroups.all.length, 2);
  });

  it('lead to their delivery and back, in tabs whose names tell them apart', async () => {
    const id = await run('{"a":1.0}', 'application/json', { webhook: true });
    const delivery = await eventually(async () => {
      const [newest] = await command<WholeDelivery[]>('listDeliveries', { limit: 1 });
      return newest?.appName === 'mine' ? newest : undefined;
    });
    const front = () => vscode.window.tabGroups.activeTabGroup.activeTab?.label ?? '';
    await command('openRunAnswer', { id: delivery.id });
    await shown(/^200 OK · 9 B · /);
    await eventually(() => /^Response of mine \d/.test(front()) || undefined);
    await eventually(() =>
      command('openRunDelivery', { id }).then(
        () => true,
        () => undefined,
      ),
    );
    await eventually(() => /^mine \d/.test(front()) || undefined);
  });

  it('open beside what was sent', async () => {
    const id = await run('{"a":1}', 'application/json', { path: 'v1/chat' });
    await command('openPayloadAndAnswer', { id });
    const payload = await shown(/"\$runhook": \{\n {4}"path": "v1\/chat"\n {2}\},\n {2}"asked": 1\.5\n/);
    assert.equal(payload.languageId, 'json');
    await shown(/"a": 1/);
    const beside = () =>
      vscode.window.visibleTextEditors.filter(({ document }) => document.uri.query === id).length;
    assert.equal(beside(), 2);
    // Again where the response alone is shown: in no third group, and not twice.
    const { tabGroups } = vscode.window;
    await tabGroups.close(
      tabGroups.all.flatMap(({ tabs }) => tabs.filter(({ label }) => /^Payload/.test(label))),
    );
    assert.equal(beside(), 1);
    await command('openPayloadAndAnswer', { id });
    await eventually(() => beside() === 2 || undefined);
    assert.equal(tabGroups.all.flatMap(({ tabs }) => tabs).length, 2);
  });

  it('are compared with that of the run before, its keys in the order of that', async () => {
    const first = await run('{"a":1,"b":[1.0]}');
    const second = await run('{"b":[1.0],"a":2}');
    assert.deepEqual(await command('compareWithPreviousRun', { id: second }), { ids: [first, second] });
    const diff = await eventually(() => {
      const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
      return input instanceof vscode.TabInputTextDiff ? input : undefined;
    });
    const textOf = async (uri: vscode.Uri) => (await vscode.workspace.openTextDocument(uri)).getText();
    const laidOut = (a: number) => `{\n  "a": ${a},\n  "b": [\n    1.0\n  ]\n}\n`;
    assert.deepEqual(await Promise.all([diff.original, diff.modified].map(textOf)), [laidOut(1), laidOut(2)]);
  });

  it('are said to be the same in the title of their comparison', async () => {
    const [, second] = [await run('{"a":1}'), await run('{"a":1}')];
    await command('compareWithPreviousRun', { id: second });
    const label = () => vscode.window.tabGroups.activeTabGroup.activeTab?.label;
    await eventually(() => (label()?.startsWith('No Differences: ') === true ? true : undefined));
  });

  it('are saved byte for byte, where they were saved last, and replace nothing unasked', async () => {
    const bytes = Buffer.from(Array.from({ length: 5000 }, (_, index) => index % 256));
    const id = await run(bytes, 'image/png');
    const path = join(folder, 'an image.png');
    await answerPrompts(path);
    const saved = await command<{ uri: string; bytes: number }>('saveAnswerAs', { id });
    assert.deepEqual(saved, { uri: vscode.Uri.file(path).toString(), bytes: 5000 });
    assert.deepEqual(await readFile(path), bytes);
    // As it is proposed: in the folder of the one before.
    await answerPrompts({ kept: true });
    const next = await command<{ uri: string }>('saveAnswerAs', { id });
    assert.match(
      vscode.Uri.parse(next.uri).fsPath,
      /runhook-saved-[^/\\]+[/\\]mine-\d{4}-\d\d-\d\d-\d{6}\.png$/,
    );
    await writeFile(path, 'of the user');
    await answerPrompts(false);
    await assert.rejects(command('saveAnswerAs', { id, to: path }), /Nothing was saved/);
    assert.equal(await readFile(path, 'utf8'), 'of the user');
    await command('saveAnswerAs', { id, to: path, confirmed: true });
    assert.deepEqual(await readFile(path), bytes);
    await assert.rejects(
      command('saveAnswerAs', { id, to: join(path, 'below') }),
      /cannot be (written|opened)/,
    );
  });

  it('go with their runs, which asks first, with how many there are', async () => {
    await command('clearRuns', { ...app, confirmed: true });
    const ids = [await run('{"a":1}'), await run('{"a":2}')];
    const questions: string[] = [];
    const yes = (question: string, detail: string): boolean => {
      questions.push(question, detail);
      return true;
    };
    await answerPrompts(yes, yes);
    assert.deepEqual(await command('clearRuns', app), { cleared: 2 });
    ids.push(await run('{"a":3}'));
    assert.deepEqual(await command('clearRuns', app), { cleared: 1 });
    const told =
      'Responses are deleted from this machine too. This cannot be undone. Deliveries and payloads stay.';
    assert.deepEqual(questions, [
      ...['Clear the 2 runs of mine?', told],
      ...['Clear the run of mine?', told],
    ]);
    for (const id of ids) await assert.rejects(command('openRunAnswer', { id }), /no longer kept/);
    await assert.rejects(command('clearRuns', app), /mine has no runs to clear/);
  });

  it('are neither compared nor saved before they arrive, nor where none came', async () => {
    await run('{"a":1}');
    const cancelled = new AbortController();
    const called = Promise.withResolvers<undefined>();
    held = () => called.resolve(undefined);
    const { signal } = cancelled;
    const sent = command('runApp', { ...app, body: {}, quiet: true, webhook: false, signal });
    await called.promise;
    held = undefined;
    const uses = ['compareWithPreviousRun', 'saveAnswerAs'];
    for (const use of uses) await assert.rejects(command(use, {}), /has not arrived yet/);
    cancelled.abort();
    await assert.rejects(sent);
    for (const use of uses) await assert.rejects(command(use, {}), /This run has no response\./);
  });

  it('say that nothing came before the first', async () => {
    await command('clearRuns', { ...app, confirmed: true }).then(undefined, () => undefined);
    const id = await run('{"a":1}');
    await assert.rejects(
      command('compareWithPreviousRun', { id }),
      /No response of an earlier run of mine is kept/,
    );
  });
});
