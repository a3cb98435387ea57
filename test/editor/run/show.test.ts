import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { AnswerStore } from '../../../src/editor/run/answers/answerFile.ts';
import { UnreachableError } from '../../../src/service/client/errors.ts';
import type { TransportRequest, TransportResponse } from '../../../src/service/client/transport.ts';
import { addresses, type LazyDocuments, lazyDocuments } from '../../../src/editor/kit/documents.ts';
import { AnswerDocuments, answerPattern } from '../../../src/editor/run/answers/answerDocument.ts';
import { RunAnswers } from '../../../src/editor/run/answers/runAnswers.ts';
import { DeliveryWaits, type DeliveryWaitsParts } from '../../../src/editor/run/deliveryWaits.ts';
import { RunHistory } from '../../../src/editor/run/history/runHistory.ts';
import { allowed, type AskParts } from '../../../src/editor/run/ask.ts';
import { send, type SendParts } from '../../../src/editor/run/send.ts';
import { RunNodes } from '../../../src/editor/run/history/runNodes.ts';
import {
  type ActiveRun,
  cancelRuns,
  runsText,
  ShownRun,
  type ShowParts,
} from '../../../src/editor/run/show.ts';
import type { NotedRun } from '../../../src/deliveries/listenerProtocol.ts';
import type { SandboxState } from '../../../src/editor/sandbox/feature.ts';
import type { ListenerState } from '../../../src/deliveries/listenerState.ts';
import type { Delivery } from '../../../src/contract/delivery.ts';
import { answerFingerprint } from '../../../src/deliveries/answerFingerprint.ts';
import { deliveryOf } from '../../support/deliveries/deliveryOf.ts';
import { AnsweredPrompts } from '../../support/editor/answeredPrompts.ts';
import { eventually } from '../../support/editor/inEditor.ts';
import { MemoryMemento } from '../../support/editor/memoryMemento.ts';
import { MemoryRuns } from '../../support/editor/memoryRuns.ts';
import { TestClock } from '../../support/time/testClock.ts';
import { codeLenses } from '../../support/editor/codeLenses.ts';

/** That of the window is taken. */
const scheme = 'runhook-shown-run';
const input = { projectId: 'p', appName: 'a', path: 'run', method: 'POST', headers: {}, webhook: true };

/** A run of an app that answers as the test says, with a listener that gets what the test delivers. */
describe('a run that is shown', () => {
  let clock: TestClock;
  let history: RunHistory;
  let documents: AnswerDocuments;
  let files: LazyDocuments;
  let kept: AnswerStore;
  let sending: SendParts;
  let asking: AskParts;
  let folder: string;
  let noted: NotedRun[];
  /** What has arrived before the id of its run was known. */
  let early: Delivery[];
  let hasOwnService: boolean;
  let saidOfToken: [token: string, refused: number | undefined][];
  let isTransient: boolean;
  const sandboxChanged = new vscode.EventEmitter<SandboxState>();
  let listenerState: ListenerState;
  let listenerChanged: vscode.EventEmitter<ListenerState>;
  let listener: DeliveryWaitsParts['listener'];
  let waits: DeliveryWaits;
  let answer: (request: TransportRequest) => Promise<TransportResponse>;

  beforeEach(async () => {
    clock = new TestClock();
    history = new RunHistory(new MemoryRuns());
    documents = new AnswerDocuments(
      (asked) => new RunAnswers(history, kept, { state: { kind: 'stopped' } }).content(asked),
      addresses(scheme, answerPattern),
    );
    files = lazyDocuments(scheme, () => Promise.resolve());
    files.fill(documents);
    folder = await mkdtemp(join(tmpdir(), 'runhook-answers-'));
    kept = new AnswerStore(folder, (error) => assert.fail(String(error)));
    noted = [];
    early = [];
    saidOfToken = [];
    isTransient = false;
    hasOwnService = false;
    listenerState = { kind: 'listening', port: 2, url: 'http://127.0.0.1:2/' };
    listenerChanged = new vscode.EventEmitter();
    listener = {
      get state() {
        return listenerState;
      },
      onDidChangeState: listenerChanged.event,
    };
    const sandbox = { onDidChangeState: sandboxChanged.event };
    waits = new DeliveryWaits({ history, listener, sandbox, clock, tick: () => undefined });
    const project = { id: 'p', serviceAccounts: [], apps: [{ id: 'a' }] };
    const service = { baseUrl: 'http://127.0.0.1:1', proxyUrl: 'http://127.0.0.1:1' };
    const projects: AskParts['projects'] & SendParts['projects'] = {
      get: () => project,
      service: () => service,
      ownService: () => (hasOwnService ? service : undefined),
      isTransient: () => isTransient,
      noteAnswer: (_, { token }, refused) => Promise.resolve(void saidOfToken.push([token, refused])),
      access: () => Promise.resolve({ service, serviceAccount: { id: 'sa' }, token: 'a token' }),
    };
    const secrets = {
      store: () => Promise.resolve({ ensure: () => Promise.resolve({ secret: 'a secret' }) }),
    };
    asking = {
      ...{ projects, secrets: secrets as unknown as AskParts['secrets'] },
      listener: {
        webhookEndpoint: () => Promise.resolve('http://127.0.0.1:2/'),
        configure: () => Promise.resolve(),
      },
      prompts: new AnsweredPrompts(),
      workspaceState: new MemoryMemento(),
      workspace: vscode.workspace,
    };
    sending = {
      projects,
      listener: {
        get state() {
          return listenerState;
        },
        noteRun: (run) => {
          noted.push(run);
          return Promise.resolve(
            run.runId === undefined ? [] : early.filter((one) => one.runId === run.runId),
          );
        },
      },
      history,
      answers: kept,
      transport: (request) => answer(request),
      userAgent: 'test',
      now: () => clock.now(),
    };
  });
  afterEach(async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    files.dispose();
    documents.dispose();
    waits.dispose();
    history.dispose();
    await kept.written();
    await rm(folder, { recursive: true });
  });

  const run = async (): Promise<ShownRun> => {
    const allow: ShowParts['allowed'] = (call) => allowed(asking, call);
    const parts: ShowParts = {
      ...{ allowed: allow, history, documents, listener, clock },
      send: (call, changed) => send(sending, call, changed),
    };
    return new ShownRun(await allow({ input }), parts);
  };
  const answers = (text: string, status = 200): void => {
    const body = (async function* () {
      yield await Promise.resolve(Buffer.from(text));
    })();
    const headers = { 'content-type': 'application/json' };
    answer = () => Promise.resolve({ status, headers, body });
  };
  function deliver(id: string, body: object, changes: Partial<Delivery> = {}): void {
    const at = { receivedAt: new Date(clock.now()).toISOString(), method: 'POST', path: '/' };
    const content = { headers: {}, bytes: JSON.stringify(body).length, answered: 200 };
    history.noteDelivery({ id, verdict: 'verified', ...at, ...content, ...changes });
  }
  /** The document of the answer, once its text fits. */
  const shows = (fits: RegExp): Promise<vscode.TextDocument> =>
    eventually(() =>
      vscode.window.visibleTextEditors
        .map(({ document }) => document)
        .find((document) => document.uri.scheme === scheme && fits.test(document.getText())),
    );
  const lensTitles = async ({ uri }: vscode.TextDocument): Promise<string[]> =>
    (await codeLenses(uri)).map(({ title }) => title);
  const firstLens = async (document: vscode.TextDocument): Promise<string> =>
    (await lensTitles(document))[0] ?? '';

  it('may have another take its place while it opens', async () => {
    answers('{}');
    const both = [await run(), await run()];
    await Promise.all(both.map((one) => one.answered));
    await eventually(() => vscode.window.tabGroups.activeTabGroup.activeTab);
    for (const one of both) one.cancel();
    await Promise.all(both.map((one) => one.ended));
  });

  it('leaves the cursor at the top while a slow response arrives', async () => {
    const { promise: slow, resolve: goOn } = Promise.withResolvers<undefined>();
    answers('{"run_id": "run-1", "result": [1, 2, 3]}');
    const given = answer;
    answer = async (request) => {
      await slow;
      return given(request);
    };
    const shown = await run();
    clock.advance(400);
    const document = await shows(/^Waiting for the response/);
    // It may have come: as long as its run id is not known, nothing tells it from others.
    assert.doesNotMatch(document.getText(), /delivered/);
    const editor = await vscode.window.showTextDocument(document);
    assert.equal(editor.selection.active.line, 0);
    goOn(undefined);
    await shows(/^200 OK/);
    // The window moves it from where it really is.
    await vscode.commands.executeCommand('cursorRight');
    const moved = () => (editor.selection.active.character === 1 ? editor.selection.active : undefined);
    assert.equal((await eventually(moved)).line, 0);
    shown.cancel();
    await shown.ended;
  });

  it('counts the time that it waits for the delivery, and after a minute says what to check', async () => {
    answers('{"run_id": "run-1", "result": "slow to deliver"}');
    const shown = await run();
    await shown.answered;
    clock.advance(59_000);
    const document = await shows(/Not delivered yet/);
    await eventually(async () => (/delivery, 59\.0 s/.test(await firstLens(document)) ? true : undefined));
    assert.doesNotMatch(document.getText(), /still running/);
    clock.advance(1000);
    await shows(/Not delivered yet\n- Is the app still running[^]*3 times/);
    assert.ok((await lensTitles(document)).includes('$(edit) Deliver Here'));
    deliver('d-1', { run_id: 'run-1' }, { runId: 'run-1' });
    const delivered = await shows(/· ✓ verified/);
    assert.doesNotMatch(delivered.getText(), /still running/);
    await shown.ended;
    assert.equal(clock.nextIn, undefined, 'something still ticks');
  });

  it('counts from the answer on, however long that took', async () => {
    answers('{"run_id": "run-1"}');
    const given = answer;
    answer = (request) => {
      clock.advance(10 * 60_000);
      return given(request);
    };
    const shown = await run();
    await shown.answered;
    clock.advance(30_000);
    const document = await shows(/Not delivered yet/);
    await eventually(async () => (/delivery, 30\.0 s/.test(await firstLens(document)) ? true : undefined));
    assert.doesNotMatch(document.getText(), /still running/);
    shown.cancel();
    await shown.ended;
  });

  it('waits for a quarter of an hour, and no longer', async () => {
    answers('{"run_id": "run-1"}');
    const shown = await run();
    await shown.answered;
    const document = await shows(/Not delivered yet/);
    await eventually(async () => ((await firstLens(document)).includes('Waiting') ? true : undefined));
    clock.advance(15 * 60_000);
    await shown.ended;
    await shows(/Nothing was delivered within 15 min\./);
    await eventually(async () => ((await firstLens(document)).includes('Deliver Here') ? true : undefined));
  });

  it('waits for a moment where the response names no run, and says where to look', async () => {
    answers('{"accepted": true}');
    const shown = await run();
    await shown.answered;
    await shows(/Not delivered yet/);
    clock.advance(15_000);
    await shown.ended;
    await shows(/Its run id is not known: if it is delivered, only the Deliveries view shows it\./);
  });

  it('ends at once where it was refused, and says what to do', async () => {
    answers('{"error": "no such token"}', 401);
    const shown = await run();
    assert.equal(
      (await shown.answered).notDelivered,
      'Not delivered: the run failed (401). Set a new token.',
    );
    await shown.ended;
    const document = await shows(/^401[^]*\nNot delivered: the run failed \(401\)\. Set a new token\.\n/m);
    const titles = await eventually(async () => {
      const all = await lensTitles(document);
      return all.some((title) => title.endsWith('Run Again')) ? all : undefined;
    });
    assert.deepEqual(titles.slice(0, 2), ['$(key) Set Token…', '$(debug-restart) Run Again']);
    const [setToken] = await codeLenses(document.uri);
    assert.deepEqual(
      [setToken?.command, setToken?.arguments],
      ['runhook.setTokenOfRun', [{ argument: { id: shown.id } }]],
    );
  });

  it('offers to set the address where a web page came in place of the response', async () => {
    hasOwnService = true;
    answers('<html><title>Sign in</title>');
    const shown = await run();
    await shown.answered;
    const document = await shows(/^200 OK[^\n]*\nThis is a web page that names no run\./);
    await eventually(async () => (await lensTitles(document)).includes('$(globe) Set Address…') || undefined);
    shown.cancel();
    await shown.ended;
  });

  it('says where it is redirected to, and offers to set that address', async () => {
    hasOwnService = true;
    answers('', 302);
    const given = answer;
    const headers = { location: 'https://sign-in.example/?next=a' };
    answer = async (request) => ({ ...(await given(request)), headers });
    const shown = await run();
    await shown.answered;
    const document = await shows(
      /^302 Found[^\n]*\n127\.0\.0\.1:1 redirects to https:\/\/sign-in\.example \(302\)\./,
    );
    await eventually(async () => (await lensTitles(document))[0] === '$(globe) Set Address…' || undefined);
    await shown.ended;
  });

  it('offers no other address where a redirect names none', async () => {
    answers('', 302);
    const shown = await run();
    await shown.ended;
    const document = await shows(/^302 Found/);
    const titles = await eventually(async () => {
      const all = await lensTitles(document);
      return all.some((title) => title.endsWith('Run Again')) ? all : undefined;
    });
    assert.equal(titles[0], '$(debug-restart) Run Again');
  });

  it('does not say of a run that it was not delivered where that cannot be known', async () => {
    const unknown = /Its run id is not known: if it is delivered, only the Deliveries view shows it\.\n/;
    const broken = { wasSent: true, passing: true };
    answer = () => Promise.reject(new UnreachableError('It broke off.', broken));
    await assert.rejects((await run()).answered);
    await shows(unknown);
    answer = ({ signal }) =>
      new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason as Error)));
    const cancelled = await run();
    const ended = assert.rejects(cancelled.answered);
    cancelled.cancel();
    await ended;
    await shows(new RegExp(`cancelled after [^]*${unknown.source}`));
  });

  it('offers the addresses in force where nobody was there: those of all, or those of the project', async () => {
    const settings = { kind: 'openSettings', ids: ['baseUrl', 'proxyUrl', 'projects'] };
    for (const [isOwn, reason, remedy, lens] of [
      [false, 'Nobody was there.', settings, '$(gear) Open Settings'],
      [true, 'Nobody was here.', { kind: 'setAddress', projectId: 'p' }, '$(globe) Set Address…'],
    ] as const) {
      hasOwnService = isOwn;
      answer = () => Promise.reject(new UnreachableError(reason, { passing: true }));
      // What it says, and what can be done about it, is in the document: no message repeats it.
      await assert.rejects((await run()).answered, {
        remedies: [{ kind: 'tryAgain' }, remedy],
        isShown: true,
      });
      const unreached = await shows(new RegExp(`${reason}\nNot delivered\n`));
      await eventually(async () => {
        const titles = await lensTitles(unreached);
        return (titles[0] === lens && titles[1]?.endsWith('Run Again')) || undefined;
      });
    }
    const remedies = [{ kind: 'openSettings' as const, ids: ['http.timeoutSeconds'] }];
    answer = () => Promise.reject(new UnreachableError('It took too long.', { passing: true, remedies }));
    await assert.rejects((await run()).answered, { isShown: false });
  });

  it('shows a delivery that comes for what the app refused by itself', async () => {
    answers('{"error": "the prompt is too long"}', 422);
    const shown = await run();
    await shown.answered;
    await shown.ended;
    await shows(/Not delivered: the run failed \(422\)\.\n/);
    deliver('d-1', { response: { error: 'the prompt is too long' } }, { joinedRun: shown.id });
    await shows(/· ✓ verified/);
    clock.advance(15 * 60_000);
    assert.equal(clock.nextIn, undefined, 'something still waits');
  });

  it('is no longer shown once it is removed, and leads nowhere then', async () => {
    answers('{"run_id": "run-1"}');
    const shown = await run();
    await shown.answered;
    shown.cancel();
    await shown.ended;
    const document = await shows(/^200 OK/);
    await history.erase();
    await shows(/^This response is no longer kept\.$/);
    await eventually(async () => (await lensTitles(document)).length === 0 || undefined);
  });

  it('goes on to say what comes of the delivery in the handler', async () => {
    answers('{"run_id": "run-1"}');
    const shown = await run();
    await shown.answered;
    const forwarded = (status: number, answer = ''): Partial<Delivery> => ({
      runId: 'run-1',
      forward: { to: 'http://127.0.0.1:3/', status, durationMs: 4, answer },
    });
    const reason = `KeyError: '${'p'.repeat(150)}'`;
    const traceback = `Traceback (most recent call last):\n${'  File "handler.py", line 7\n'.repeat(20)}${reason}`;
    deliver('d-1', { run_id: 'run-1' }, { runId: 'run-1', isForwarding: true });
    await shown.ended;
    await shows(/· waiting in your handler/);
    deliver('d-1', { run_id: 'run-1' }, forwarded(500, traceback));
    const failed = await shows(/· ⚠ 500 from your handler/);
    const leads = `Delivery: ${`500 "${reason}`.slice(0, 39)}… · Open Response`;
    await eventually(async () => ((await firstLens(failed)).endsWith(leads) ? true : undefined));
    deliver('d-1', { run_id: 'run-1' }, forwarded(200));
    const document = await shows(/· ✓ 200 from your handler/);
    assert.doesNotMatch(document.getText(), /waiting|500/);
  });

  /** What the row of the last run says. */
  const row = (): string => {
    const nodes = new RunNodes(history);
    const { description } = nodes.of(input)[0]!.item;
    nodes.dispose();
    return description as string;
  };

  it('waits for what an app that refused has delivered, and its row says so', async () => {
    answers('{"run_id": "run-1", "error": "no"}', 404);
    const shown = await run();
    assert.equal((await shown.answered).notDelivered, undefined);
    const document = await shows(/^404[^]*Not delivered yet/m);
    await eventually(async () => ((await firstLens(document)).includes('Waiting') ? true : undefined));
    assert.equal(row(), 'app 404 · no delivery yet');
    shown.cancel();
    await shown.ended;
    assert.equal(row(), 'app 404 · not delivered');
  });

  for (const [status, text] of [
    [500, '{"error": "it broke"}'],
    [500, '{"run_id": "run-1", "error": "it broke"}'],
    [502, '<html><head><title>Bad Gateway</title></head></html>'],
    [503, ''],
  ] as const) {
    it(`waits for nothing after ${status} ${text}, and shows what comes all the same`, async () => {
      answers(text, status);
      const shown = await run();
      assert.equal((await shown.answered).notDelivered, undefined);
      await shown.ended;
      assert.match(row(), /· not delivered$/);
      const document = await shows(
        new RegExp(`^${status}[^]*Not delivered: the run failed \\(${status}\\)`, 'm'),
      );
      assert.ok((await lensTitles(document)).every((title) => !title.includes('Waiting')));
      const [kept] = history.list(input);
      if (text.startsWith('{')) {
        const response = JSON.parse(text) as object;
        deliver('d-1', { response }, { joinedRun: kept!.id });
        await shows(/· ✓ verified/);
      }
      clock.advance(15 * 60_000);
      assert.equal(clock.nextIn, undefined, 'something still waits');
    });
  }

  it('tells what the service said of its token, and nothing where it said nothing', async () => {
    const said = async (status: number, text: string) => {
      saidOfToken = [];
      answers(text, status);
      const shown = await run();
      await shown.answered;
      shown.cancel();
      await shown.ended;
      return saidOfToken;
    };
    assert.deepEqual(await said(401, '{"message": "revoked"}'), [['a token', 401]]);
    assert.deepEqual(await said(200, '{}'), [['a token', undefined]]);
    assert.deepEqual(await said(401, '{"run_id": "r", "error": "of the app itself"}'), [
      ['a token', undefined],
    ]);
    // A proxy has people sign in there: it says nothing of the token.
    assert.deepEqual(await said(200, '<!doctype html><title>Sign in</title>'), []);
    for (const status of [403, 404, 500, 502]) assert.deepEqual(await said(status, '{}'), []);
  });

  it('waits no longer than the listener is there', async () => {
    answers('{"run_id": "run-1"}');
    const shown = await run();
    await shown.answered;
    await eventually(() => (row().endsWith('no delivery yet') ? true : undefined));
    listenerState = { kind: 'stopped' };
    listenerChanged.fire(listenerState);
    await shown.ended;
    assert.match(row(), /· not delivered$/);
    await shows(/Not delivered: the listener has stopped\.\n/);
  });

  it('waits no longer where the listener went to another port, during the run or after it', async () => {
    const moved = /Not delivered: it was sent to port 2, and the listener is on 3 now\.\n/;
    const responds = Promise.withResolvers<boolean>();
    answers('{"run_id": "run-1"}');
    const later = answer;
    answer = async (request) => {
      await responds.promise;
      return later(request);
    };
    const during = await run();
    listenerState = { kind: 'listening', port: 3, url: 'http://127.0.0.1:3/' };
    listenerChanged.fire(listenerState);
    responds.resolve(true);
    await during.ended;
    await shows(moved);

    listenerState = { kind: 'listening', port: 2, url: 'http://127.0.0.1:2/' };
    answers('{"run_id": "run-2"}');
    const after = await run();
    await after.answered;
    await eventually(() => (row().endsWith('no delivery yet') ? true : undefined));
    listenerState = { kind: 'listening', port: 3, url: 'http://127.0.0.1:3/' };
    listenerChanged.fire(listenerState);
    await after.ended;
    await shows(moved);
  });

  it('says that the sandbox was stopped where its end broke off the response', async () => {
    isTransient = true;
    answer = () => {
      isTransient = false;
      return Promise.reject(new UnreachableError('It broke off.', { wasSent: true, passing: true }));
    };
    await assert.rejects((await run()).answered, {
      message: 'The sandbox was stopped, and the run with it.',
      remedies: [{ kind: 'startSandbox' }],
    });
    assert.match(row(), /sandbox stopped$/);
    await shows(
      /The sandbox was stopped, and the run with it\.\nIts run id is not known: if it was delivered before the/,
    );
  });

  it('has one item in the status bar with all others, which cancels one or all', async () => {
    const waits: ActiveRun[] = [];
    const cancelled: string[] = [];
    const wait = (title: string, waitingFor: ActiveRun['waitingFor']): void => {
      waits.push({ id: title, title, waitingFor, cancel: () => cancelled.push(title) });
    };
    assert.equal(runsText(waits), undefined);
    wait('a', 'answer');
    assert.equal(runsText(waits), 'Running a');
    wait('b', 'delivery');
    assert.equal(runsText(waits), '2 runs');
    assert.equal(runsText(waits.slice(1)), 'b: waiting for the delivery');
    assert.equal(runsText([waits[1]!, waits[1]!]), 'Waiting for 2 deliveries');
    assert.equal(runsText([waits[0]!, waits[0]!]), '2 runs');
    assert.equal(runsText([{ title: '$(x) [a](command:b)', waitingFor: 'answer' }])?.includes('$(x)'), false);
    const prompts = new AnsweredPrompts();
    prompts.answers = ['$(stop-circle) b', '$(stop-circle) Cancel All', undefined];
    await cancelRuns(waits, prompts);
    assert.deepEqual(cancelled, ['b']);
    await cancelRuns(waits, prompts);
    assert.deepEqual(cancelled, ['b', 'a', 'b']);
    await cancelRuns(waits, prompts);
    assert.equal(cancelled.length, 3);
  });

  it('is told of a delivery that broke off, waits on, and ends with the last attempt', async () => {
    answers('{"run_id": "run-1"}');
    const shown = await run();
    await shown.answered;
    const brokenOff = { at: '', runId: 'run-1', bytes: 812, announced: 1624 };
    history.noteBrokenOff({ ...brokenOff, runId: 'of another run' });
    history.noteBrokenOff(brokenOff);
    const document = await shows(/Not delivered yet: broke off at 812 of 1624 bytes\n/);
    await eventually(async () => ((await firstLens(document)).includes('Waiting') ? true : undefined));
    history.noteBrokenOff(brokenOff);
    history.noteBrokenOff(brokenOff);
    await shown.ended;
    await shows(
      /Not delivered: 3 attempts broke off, and the service makes no more\. The last one: the connection was closed before the rest arrived\.\n/,
    );
    deliver('d-1', { run_id: 'run-1' }, { runId: 'run-1' });
    await shows(/· ✓ verified/);
  });

  it('is told of a delivery that the listener refused as too large, waits no longer, and says what to do', async () => {
    answers('{"run_id": "run-1"}');
    const shown = await run();
    await shown.answered;
    const tooLarge = { at: '', status: 413 as const, method: 'POST', reason: '', mostBytes: 1000 };
    history.noteTooLarge(tooLarge);
    history.noteTooLarge({ ...tooLarge, runId: 'of another run' });
    await shows(/Not delivered yet\n/);
    history.noteTooLarge({ ...tooLarge, runId: 'run-1' });
    await shown.ended;
    await shows(
      /larger than 1000 bytes\. Set "runhook\.listener\.maxBodyBytes" to more, and run it again\.\n/,
    );
    // The listener may tell it before the response names the run.
    history.noteTooLarge({ ...tooLarge, runId: 'run-2' });
    answers('{"run_id": "run-2"}');
    await (
      await run()
    ).ended;
    assert.equal(history.all().find(({ runId }) => runId === 'run-2')?.largerThan, 1000);
  });

  it('shows and keeps what had come of an answer that broke off, and says how much that was', async () => {
    const came = '{"run_id": "run-1", "text": "the beginning';
    const body = (async function* () {
      yield await Promise.resolve(Buffer.from(came));
      const cause = Object.assign(new Error('other side closed'), { code: 'UND_ERR_SOCKET' });
      throw new UnreachableError('It could not be reached.', { cause, passing: true });
    })();
    answer = () => Promise.resolve({ status: 200, headers: { 'content-type': 'application/json' }, body });
    const shown = await run();
    const said = `The response broke off after ${came.length} bytes: the connection was reset.`;
    await assert.rejects(shown.answered, { message: said, remedies: [{ kind: 'tryAgain' }] });
    const document = await shows(/Failed after/);
    assert.ok(document.getText().includes(said));
    assert.ok(document.getText().includes(`\n\n${came}\n\n── Headers`));
    await shown.ended;
    const [ended] = history.list(input);
    assert.equal(ended?.id, shown.id);
    assert.equal(Buffer.from((await kept.find(ended))?.body?.beginning ?? []).toString(), came);
  });

  it('tells the listener by what its delivery is recognised, and is joined to what that joins', async () => {
    answers('{"text": "an answer of its own"}');
    const shown = await run();
    await shown.answered;
    const [begun, ended] = noted;
    const { startedAt } = history.list(input)[0]!;
    assert.deepEqual(begun, { id: shown.id, appName: 'a', startedAt, answer: { kind: 'awaited' } });
    const fingerprint = answerFingerprint('{"text":"an answer of its own"}');
    assert.deepEqual(ended, { ...begun, answer: { kind: 'given', fingerprint } });
    deliver('d-1', { response: { text: 'an answer to somebody else' } }, { joinedRun: 'another' });
    deliver('d-2', { response: { text: 'an answer of its own' } }, { joinedRun: shown.id });
    deliver('d-3', { response: { text: 'an answer of its own' } }, { joinedRun: shown.id, repeatOf: 'd-2' });
    await shown.ended;
    const [kept] = history.list({ projectId: 'p', appName: 'a' });
    assert.deepEqual([kept?.delivery?.id, kept?.delivery?.repeats], ['d-2', 1]);
    await shows(/· ✓ verified · 1 repeat\n/);
  });

  it('is joined to the delivery that came before its id was known, and counts each repeat once', async () => {
    answers('{"run_id": "run-9"}');
    const repeat = deliveryOf('d-2', { runId: 'run-9', repeatOf: 'd-1' });
    early = [deliveryOf('d-1', { runId: 'run-9' }), repeat];
    const shown = await run();
    await shown.answered;
    await shown.ended;
    deliver('d-2', {}, repeat);
    const [kept] = history.list({ projectId: 'p', appName: 'a' });
    assert.deepEqual([kept?.delivery?.id, kept?.delivery?.repeats], ['d-1', 1]);
    await shows(/· ✓ verified · 1 repeat\n[^]* Run id run-9\n/);
  });

  it('takes its run id from the delivery that it was joined to', async () => {
    answers('{"text": "an answer of its own"}');
    const shown = await run();
    await shown.answered;
    deliver('d-1', { run_id: 'run-7' }, { runId: 'run-7', joinedRun: shown.id });
    await shown.ended;
    await shows(/· ✓ verified\n[^]* Run id run-7\n/);
  });

  it('says that its delivery is missing where the answer broke off', async () => {
    answer = () => Promise.reject(new UnreachableError('It could not be reached.', { passing: false }));
    const shown = await run();
    await assert.rejects(shown.answered);
    await shown.ended;
    assert.deepEqual(
      noted.map((one) => one.answer?.kind),
      ['awaited', 'missing'],
    );
  });
});
