import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { answerPrompts, command, eventually, setSetting, typeText } from '../../support/editor/inEditor.ts';
import { codeLenses } from '../../support/editor/codeLenses.ts';

describe('payload documents and answers', () => {
  let app: { projectId: string; appName: string };
  let local: Server;
  /** Of the user's own app. */
  let calls = 0;
  const bytes = Buffer.from(Array.from({ length: 5000 }, (_, index) => index % 256));

  before(async () => {
    local = createServer((_, response) => {
      calls++;
      response.writeHead(200, { 'Content-Type': 'image/png' });
      response.write(bytes.subarray(0, 1000));
      setTimeout(() => response.end(bytes.subarray(1000)), 20);
    });
    await new Promise<void>((resolve) => local.listen(0, '127.0.0.1', resolve));
    const mine = `http://127.0.0.1:${(local.address() as AddressInfo).port}`;
    await setSetting('sandbox.apps', { mine });
    const { projectId } = await command<{ projectId: string }>('startSandbox');
    app = { projectId, appName: 'echo' };
  });
  after(async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await command('stopListener');
    await command('stopSandbox');
    await setSetting('sandbox.apps', undefined);
    local.closeAllConnections();
    local.close();
    const { uri } = vscode.workspace.workspaceFolders![0]!;
    await vscode.workspace.fs.delete(vscode.Uri.joinPath(uri, '.runhook/payloads'), { recursive: true });
  });

  /** Opens a payload of an app with that text in it. */
  async function payload(text: string, of: object = app, name?: string): Promise<string> {
    const file = await command<string>('openPayload', { ...of, ...(name !== undefined && { name }) });
    await typeText(vscode.Uri.parse(file), text);
    return file;
  }
  /** Answers of earlier tests: the editor lets go of their documents late. */
  const seen = new Set<vscode.TextDocument>();
  const answers = () => vscode.workspace.textDocuments.filter(({ uri }) => uri.scheme === 'runhook-answer');
  /** The response of this test, once its text fits. */
  const answer = (fits: RegExp): Promise<vscode.TextDocument> =>
    eventually(() => answers().find((document) => !seen.has(document) && fits.test(document.getText())));
  async function closeAnswers(): Promise<void> {
    for (const document of answers()) seen.add(document);
    await vscode.commands.executeCommand('workbench.action.closeEditorsInOtherGroups');
  }
  const lenses = async (uri: vscode.Uri): Promise<string[]> =>
    (await codeLenses(uri)).map(({ title }) => title);

  it('opens the payload of an app as JSON, with links to run it', async () => {
    const file = await command<string>('openPayload', app);
    const document = vscode.window.activeTextEditor?.document;
    assert.equal(document?.uri.toString(), file);
    assert.equal(document.languageId, 'jsonc');
    assert.match(document.fileName, /echo\.payload\.json$/);
    assert.deepEqual(await lenses(document.uri), [
      '$(play) Run',
      '$(radio-tower) Run with Webhook',
      'Payloads…',
    ]);
  });

  it('runs the payload, saves it, and shows the answer beside it', async () => {
    const file = await payload('{ "name": "Ada", "big": 12345678901234567890 }');
    const result = await command<{ status: number; runId: string }>('runFile', { file });
    assert.equal(result.status, 200);
    const document = await answer(new RegExp(`^200 OK · [^]* ${result.runId}`));
    assert.equal(document.languageId, 'runhook-response');
    assert.match(document.getText(), /\n── Request · POST http:\/\/127\.0\.0\.1:\d+\/v4\/.*\/echo\/run\n/);
    assert.match(document.getText(), /\n  content-type: application\/json\n/);
    assert.match(document.getText(), /"name": "Ada"/);
    const saved = await readFile(vscode.Uri.parse(file).fsPath, 'utf8');
    assert.match(saved, /12345678901234567890/);
    await closeAnswers();
  });

  it('calls another path with another method by the settings block, which is not sent', async () => {
    const settings = { path: 'v1/chat', method: 'PUT', query: { stream: 1 } };
    const file = await payload(JSON.stringify({ $runhook: settings, text: 'x' }), app, 'chat');
    const { body } = await command<{ body: { result: object } }>('runFile', { file, confirmed: true });
    assert.deepEqual(body.result, {
      method: 'PUT',
      path: '/v1/chat',
      query: { stream: '1' },
      body: { text: 'x' },
    });
    await closeAnswers();
  });

  it('keeps several payloads by name, and opens the last one again', async () => {
    await payload('{"kept": 1}', app, 'Größe & Rand');
    const again = await command<string>('openPayload', app);
    assert.match(decodeURIComponent(decodeURIComponent(again)), /Größe & Rand\.payload\.json$/);
    await answerPrompts('chat');
    assert.match(await command<string>('openPayload', { ...app, name: '' }), /chat\.payload\.json$/);
  });

  it('says what is wrong with a payload that is not JSON, and sends nothing', async () => {
    const file = await payload('{ "name": }', app, 'broken');
    await assert.rejects(command('runFile', { file }), /The payload is not JSON/);
  });

  it('points at mistakes in the settings block', async () => {
    const file = await payload('{ "$runhook": { "pth": "run" } }', app, 'schema');
    const uri = vscode.Uri.parse(file);
    const problems = await eventually(() => {
      const found = vscode.languages.getDiagnostics(uri);
      return found.length > 0 ? found : undefined;
    });
    assert.match(problems[0]?.message ?? '', /pth/);
  });

  it('shows events as they come', async () => {
    // Long enough for a busy machine to see the first before the last has come.
    const file = await payload('{ "count": 3, "seconds": 2 }', { ...app, appName: 'stream' });
    const running = command<{ body: string }>('runFile', { file });
    const document = await answer(/receiving the body[^]*data: \{"number":1,/);
    assert.doesNotMatch(document.getText(), /"number":3/);
    assert.match((await lenses(document.uri))[0] ?? '', /Cancel/);
    assert.match((await running).body, /"number":3/);
    await answer(/^200 OK · .* · \d[^]*data: \{"number":3,/);
    await closeAnswers();
  });

  it('is cancelled at any time: while it waits, and while the body comes', async () => {
    // One of another test may still wait for its delivery.
    await command('cancelRun', {});
    for (const [appName, body, shown] of [
      ['sleep', '{ "seconds": 60 }', /Waiting for the response/],
      ['stream', '{ "count": 1000, "seconds": 0.05 }', /"number":2/],
    ] as const) {
      const file = await payload(body, { ...app, appName });
      const running = command('runFile', { file });
      await answer(shown);
      assert.equal(await command('cancelRun', {}), 1);
      assert.equal(await running, undefined);
      await answer(/cancelled after/);
      await closeAnswers();
    }
  });

  it('is cancelled in the palette alone, or of several as the user picks', async () => {
    await command('cancelRun', {});
    const fromPalette = () => vscode.commands.executeCommand('runhook.cancelRun');
    const sleeps = async () => {
      const file = await payload('{ "seconds": 60 }', { ...app, appName: 'sleep' });
      const running = command('runFile', { file });
      await answer(/Waiting for the response/);
      return { running };
    };
    const only = await sleeps();
    await fromPalette();
    assert.equal(await only.running, undefined);
    await closeAnswers();
    const first = await sleeps();
    const file = await payload('{ "count": 1000, "seconds": 0.05 }', { ...app, appName: 'stream' });
    const second = command('runFile', { file });
    await answer(/"number":2/);
    await answerPrompts(undefined);
    await fromPalette();
    await answer(/receiving the body/);
    await answerPrompts('$(stop-circle) Cancel All');
    await fromPalette();
    assert.deepEqual(await Promise.all([first.running, second]), [undefined, undefined]);
    await closeAnswers();
  });

  it('waits for the delivery, and points at it', async () => {
    const file = await payload('{}');
    await command('runFile', { file, webhook: true });
    const document = await answer(/ · ✓ verified\n[^]*\n {2}→ http:\/\/127\.0\.0\.1:\d+\/\S*\n/);
    assert.match((await lenses(document.uri)).join(), /Delivery: verified · Open/);
    // It says still what came of one that was removed, and has no link to it.
    await command('clearDeliveries', {});
    await eventually(async () => !(await lenses(document.uri)).join().includes('Delivery'));
    assert.match(document.getText(), / · ✓ verified\n/);
    await closeAnswers();
  });

  it('shows that it waits while nothing is delivered', async () => {
    await command('cancelRun', {});
    await command('setSandboxFaults', { faults: ['hang'] });
    try {
      const file = await payload('{ "slow": true }');
      await command('runFile', { file, webhook: true });
      const document = await answer(/Not delivered yet/);
      const [waiting] = await lenses(document.uri);
      assert.match(waiting ?? '', /Waiting for the delivery, .*Stop waiting/);
      assert.equal(await command('cancelRun', {}), 1);
      await eventually(async () =>
        !(await lenses(document.uri)).join().includes('Waiting') ? true : undefined,
      );
    } finally {
      await command('setSandboxFaults', { faults: [] });
    }
    await closeAnswers();
  });

  it('saves a binary body to a file', async () => {
    const file = await payload('{}', { ...app, appName: 'mine' });
    const { body } = await command<{ body: string }>('runFile', { file });
    assert.match(body, /\.png$/);
    assert.deepEqual(await readFile(body), bytes);
    await answer(/Binary, 4\.9 KB, saved to /);
    await closeAnswers();
  });

  it('runs an app with any JSON file, and repeats the run', async () => {
    const [folder] = vscode.workspace.workspaceFolders ?? [];
    const path = join(folder!.uri.fsPath, 'event.json');
    await writeFile(path, '{"from": "a file"}');
    await vscode.window.showTextDocument(vscode.Uri.file(path));
    await answerPrompts('echo', 'Run', true);
    const { body } = await command<{ body: { result: { body: unknown } } }>('runFile');
    assert.deepEqual(body.result.body, { from: 'a file' });
    const again = await command<{ body: { result: { body: unknown } } }>('runAgain');
    assert.deepEqual(again.body.result.body, { from: 'a file' });
    await closeAnswers();
  });

  it('sends the result of a file to another machine only where the user agrees', async () => {
    const [folder] = vscode.workspace.workspaceFolders ?? [];
    const elsewhere = 'https://collector.invalid/';
    const before = calls;
    const blocks = { webhook: { webhook: elsewhere }, query: { query: { webhookEndpoint: elsewhere } } };
    for (const [name, block] of Object.entries(blocks)) {
      const path = join(folder!.uri.fsPath, `${name}.json`);
      await writeFile(path, JSON.stringify({ $runhook: block }));
      const how = name === 'webhook' ? [] : ['Run'];
      await answerPrompts('mine', ...how, false);
      assert.equal(await command('runFile', { file: vscode.Uri.file(path).toString() }), undefined);
      assert.deepEqual(await answerPrompts(), [], 'every answer was asked for');
    }
    assert.equal(calls, before);
  });

  it('runs from the palette, which asks for app, payload and webhook', async () => {
    await answerPrompts('echo', 'chat', 'Run', true);
    const { status } = await command<{ status: number }>('runApp');
    assert.equal(status, 200);
    await answerPrompts(undefined);
    assert.equal(await command('runApp'), undefined);
    await closeAnswers();
  });
});
