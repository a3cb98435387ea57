import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { AnswerDocuments } from '../../../../src/editor/run/answers/answerDocument.ts';
import { AnswerStore } from '../../../../src/editor/run/answers/answerFile.ts';
import { RunAnswers } from '../../../../src/editor/run/answers/runAnswers.ts';
import type { RunFeatureParts } from '../../../../src/editor/run/runCommands.ts';
import { PayloadStore } from '../../../../src/editor/run/payloads/payloadStore.ts';
import { registerRun, type RunFeature } from '../../../../src/editor/run/feature.ts';
import { RunHistory } from '../../../../src/editor/run/history/runHistory.ts';
import { RunNodes } from '../../../../src/editor/run/history/runNodes.ts';
import type { Delivery } from '../../../../src/contract/delivery.ts';
import type { ListenerState } from '../../../../src/deliveries/listenerState.ts';
import type { News } from '../../../../src/deliveries/listenerProtocol.ts';
import type { SandboxState } from '../../../../src/editor/sandbox/feature.ts';
import type { Run } from '../../../../src/service/runs/run.ts';
import { deliveryOf } from '../../../support/deliveries/deliveryOf.ts';
import { eventually } from '../../../support/editor/inEditor.ts';
import { MemoryMemento } from '../../../support/editor/memoryMemento.ts';
import { MemoryRuns } from '../../../support/editor/memoryRuns.ts';

const input = { projectId: 'p', appName: 'echo', path: 'run', method: 'POST', headers: {}, webhook: true };
const shown = { url: 'http://127.0.0.1:1/run', results: ['http://127.0.0.1:2/'], isSandbox: false };

describe('a run whose window is reloaded', () => {
  const log = vscode.window.createOutputChannel('Interrupted Runs', { log: true });
  const received = new vscode.EventEmitter<Delivery>();
  const changed = new vscode.EventEmitter<Delivery>();
  const news = new vscode.EventEmitter<News>();
  const attached = new vscode.EventEmitter<void>();
  const cleared = new vscode.EventEmitter<void>();
  const stateChanged = new vscode.EventEmitter<ListenerState>();
  const sandboxChanged = new vscode.EventEmitter<SandboxState>();
  const windows: { history: RunHistory; run: RunFeature }[] = [];
  let kept: MemoryRuns;
  let folder: string;

  beforeEach(async () => {
    kept = new MemoryRuns();
    folder = await mkdtemp(join(tmpdir(), 'runhook-interrupted-'));
  });
  afterEach(async () => {
    for (const { history, run } of windows.splice(0)) {
      run.dispose();
      history.dispose();
    }
    await rm(folder, { recursive: true });
  });
  after(() => {
    for (const one of [log, received, changed, news, attached, cleared, stateChanged, sandboxChanged])
      one.dispose();
  });

  /** What a window has of runs, by its memento and the storage of the extension. */
  function open(): { history: RunHistory; run: RunFeature } {
    const history = new RunHistory(kept);
    const listener = {
      state: { kind: 'stopped' },
      onDidReceiveDelivery: received.event,
      onDidChangeDelivery: changed.event,
      onDidReceiveNews: news.event,
      onDidAttach: attached.event,
      onDidClear: cleared.event,
      onDidChangeState: stateChanged.event,
      get: (id: string) => Promise.resolve(deliveryOf(id, { runId: 'run-1', isForwarding: true })),
    };
    const storage = vscode.Uri.file(folder);
    const payloads = { store: new PayloadStore(storage) };
    const context = { globalStorageUri: storage, workspaceState: new MemoryMemento() };
    const sandbox = { onDidChangeState: sandboxChanged.event };
    const parts = { context, listener, sandbox, log, runs: history, payloads };
    const opened = { history, run: registerRun(parts as unknown as RunFeatureParts) };
    windows.push(opened);
    return opened;
  }

  /** A run is under way in a window, with so much of its answer, when that is left. */
  async function leave(answer: string): Promise<Run> {
    const { history, run } = open();
    const begun = history.begin(input, 1000);
    history.identify(begun, 'run-1');
    const store = new AnswerStore(folder, (error) => assert.fail(String(error)));
    const writer = store.begin(begun, shown);
    writer.begin({ status: 200, headers: { 'content-type': 'text/plain' }, afterMs: 5 });
    await writer.append(Buffer.from(answer));
    await store.written();
    await run.leave();
    // The end of its process.
    await writer.stop();
    // What it meets with as the window goes says nothing of it.
    history.end(begun, { kind: 'failed', reason: 'the sandbox has gone', durationMs: 1 });
    return begun;
  }

  const uriOf = (id: string) => vscode.Uri.from({ scheme: 'runhook-answer', path: '/echo', query: id });
  const textOf = async ({ run }: { run: RunFeature }, uri: vscode.Uri): Promise<string> =>
    new TextDecoder().decode((await run.answers.read(uri)).bytes);

  it('says so in its row, and can be run again from there', async () => {
    const { id } = await leave('the beginning');
    const nodes = new RunNodes(open().history);
    const [row] = nodes.of(input);
    nodes.dispose();
    assert.equal(row?.item.description, 'interrupted');
    assert.equal(row.item.contextValue, 'run interrupted');
    assert.equal((row.argument as { id: string }).id, id);
  });

  it('has its answer again, as far as that came', async () => {
    const { id } = await leave('the beginning');
    const after = open();
    const text = await textOf(after, uriOf(id));
    assert.match(
      text,
      /^⚠ Interrupted by a reload · 200 OK · 13 B\nNot delivered yet\n\nthe beginning\n\n──/,
    );
    assert.match(text, /\n── Request · POST http:.*\n {2}→ http:.*\n {2}Run id run-1\n/);
    assert.ok((await after.run.answers.read(uriOf(id))).isWritable !== true);
  });

  it('shows in it what is delivered later, or breaks off', async () => {
    const { id } = await leave('the beginning');
    const after = open();
    const uri = uriOf(id);
    assert.match(await textOf(after, uri), /Not delivered yet\n/);
    const { mtime } = await after.run.answers.read(uri);
    const told: string[] = [];
    after.run.answers.onDidChange((uris) => told.push(...uris.map(String)));
    const brokenOff = [{ at: '', runId: 'run-1', bytes: 812 }];
    news.fire({ arrived: [], changed: [], revision: 1, refused: [], brokenOff, overflow: 0 });
    await eventually(async () =>
      /yet: broke off after 812 bytes/.test(await textOf(after, uri)) ? true : undefined,
    );
    received.fire(deliveryOf('d-1', { runId: 'run-1' }));
    await eventually(async () => (/· ✓ verified/.test(await textOf(after, uri)) ? true : undefined));
    await eventually(() => (told.includes(uri.toString()) ? true : undefined));
    assert.ok((await after.run.answers.read(uri)).mtime > mtime, 'the editor reads what is newer alone');
  });

  it('shows that where its payload was opened after it, too', async () => {
    const { id } = await leave('the beginning');
    const after = open();
    const uri = uriOf(id);
    assert.match(await textOf(after, uri), /Not delivered yet\n/);
    const payload = vscode.Uri.from({ scheme: 'runhook-answer', path: '/payload/echo', query: id });
    assert.equal(await textOf(after, payload), '{}');
    received.fire(deliveryOf('d-1', { runId: 'run-1' }));
    await eventually(async () => (/· ✓ verified/.test(await textOf(after, uri)) ? true : undefined));
  });

  /** A run was answered just now, and its delivery is waited for, when its window is left. */
  const ofSandbox = { ...input, projectId: 'p-sandbox' };

  async function beginWaiting({ history }: { history: RunHistory }, of = input): Promise<Run> {
    const begun = history.begin(of, Date.now() - 1000);
    history.identify(begun, 'run-1');
    const store = new AnswerStore(folder, (error) => assert.fail(String(error)));
    store.begin(begun, shown).begin({ status: 200, headers: {}, afterMs: 5 });
    await store.end(begun, 0);
    history.end(begun, { kind: 'answered', status: 200, durationMs: 100, bytes: 0 });
    history.setAwaited(begun, true);
    return begun;
  }

  async function leaveWaiting(of = input): Promise<string> {
    const { history, run } = open();
    const begun = await beginWaiting({ history }, of);
    const left = run.leave();
    // What shows it is disposed of meanwhile.
    history.setAwaited(begun, false);
    await left;
    return begun.id;
  }
  const rowOf = ({ history }: { history: RunHistory }) => {
    const nodes = new RunNodes(history);
    const [row] = nodes.of(input);
    nodes.dispose();
    return row?.item.description as string;
  };
  const firstLens = async ({ run }: { run: RunFeature }, id: string) =>
    (await (run.answers as AnswerDocuments).provideCodeLenses({ uri: uriOf(id) } as vscode.TextDocument))[0]
      ?.command?.title;

  it('waits on for its delivery, which its row and its document say', async () => {
    const id = await leaveWaiting();
    const after = open();
    assert.equal(rowOf(after), 'no delivery yet');
    assert.match(await textOf(after, uriOf(id)), /^200 OK · .*\nNot delivered yet\n/);
    assert.match((await firstLens(after, id)) ?? '', /Waiting for the delivery, \d.*Stop waiting/);
    received.fire(deliveryOf('d-1', { runId: 'run-1' }));
    assert.equal(rowOf(after), '200 · verified');
    await eventually(async () => (/· ✓ verified/.test(await textOf(after, uriOf(id))) ? true : undefined));
    assert.match((await firstLens(after, id)) ?? '', /Delivery: verified · Open/);
  });

  it('waits no longer where the listener is not there', async () => {
    const id = await leaveWaiting();
    const after = open();
    await textOf(after, uriOf(id));
    stateChanged.fire({ kind: 'failed', reason: 'its port is taken' });
    assert.equal(rowOf(after), '200 · not delivered');
    await eventually(async () =>
      /\nNot delivered: the listener failed\. its port is taken\n/.test(await textOf(after, uriOf(id)))
        ? true
        : undefined,
    );
    assert.match((await firstLens(after, id)) ?? '', /Deliver Here/);
    received.fire(deliveryOf('d-1', { runId: 'run-1' }));
    assert.equal(rowOf(after), '200 · verified');
  });

  it('waits no longer for its sandbox, which has ended with the window', async () => {
    const id = await leaveWaiting(ofSandbox);
    const after = open();
    assert.match(await textOf(after, uriOf(id)), /\nNot delivered: the sandbox ended with its window\.\n/);
    assert.match((await firstLens(after, id)) ?? '', /Deliver Here/);
  });

  it('waits no longer where its sandbox was stopped, and on while the window closes', async () => {
    const now = open();
    const begun = await beginWaiting(now, ofSandbox);
    sandboxChanged.fire({ kind: 'stopped', comesBack: true });
    assert.match(await textOf(now, uriOf(begun.id)), /\nNot delivered yet\n/);
    sandboxChanged.fire({ kind: 'stopped' });
    await eventually(async () =>
      /\nNot delivered: the sandbox was stopped\.\n/.test(await textOf(now, uriOf(begun.id)))
        ? true
        : undefined,
    );
  });

  it('says of what its handler had got, once the listener is asked, that it waits there', async () => {
    const before = open();
    const begun = before.history.begin(input, 1000);
    before.history.end(begun, { kind: 'answered', status: 200, durationMs: 100, bytes: 0 });
    before.history.identify(begun, 'run-1');
    before.history.noteDelivery(deliveryOf('d-1', { runId: 'run-1', isForwarding: true }));
    await before.run.leave();
    const after = open();
    assert.equal(rowOf(after), '200 · verified');
    attached.fire();
    await eventually(() => (/waiting in handler/.test(rowOf(after)) ? true : undefined));
  });

  it('says that an answer is kept no longer, and reads no file but its own', async () => {
    const { id } = await leave('the beginning');
    const other = await leave('of another run');
    const after = open();
    const gone = 'This response is no longer kept.';
    assert.equal(await textOf(after, uriOf(`../runAnswers/${id}`)), gone);
    assert.equal(await textOf(after, uriOf(id.replace(/./g, '0'))), gone);
    for (const one of [id, other.id])
      assert.match(await textOf(after, uriOf(one)), /of another run|the beginning/);
    await after.run.erase();
    for (const one of [id, other.id]) {
      await eventually(async () => (await textOf(after, uriOf(one))) === gone || undefined);
    }
    assert.equal(await textOf(open(), uriOf(id)), gone);
  });

  it('can be run again where its answer is kept no longer, and not where it is not kept itself', async () => {
    const { id } = await leave('the beginning');
    const { history } = open();
    const store = new AnswerStore(folder, (error) => assert.fail(String(error)));
    const links = async (): Promise<string[]> => {
      const { lenses } = await new RunAnswers(history, store, { state: { kind: 'stopped' } }).content({
        id,
        part: 'response',
        title: '',
      });
      return lenses.map(({ command }) => command);
    };
    await store.erase();
    assert.deepEqual(await links(), ['runhook.runAgain']);
    await history.erase();
    assert.deepEqual(await links(), []);
  });

  it('shows text alone where an answer holds zeros, which the editor takes for no text', async () => {
    const { id } = await leave('a\0b');
    assert.match(await textOf(open(), uriOf(id)), /\n\na␀b\n/);
  });
});
