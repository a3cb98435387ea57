import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { HeldSecret } from '../../../src/model/secrets/webhookSecret.ts';
import { ErrorSurface } from '../../../src/editor/kit/errorSurface.ts';
import { Destinations } from '../../../src/editor/listener/destinations.ts';
import { ScriptedPrompts } from '../../../src/editor/kit/scriptedPrompts.ts';
import { DebuggedApp } from '../../../src/editor/testing/debuggedApp.ts';
import { FixtureItems } from '../../../src/editor/testing/fixtureItems.ts';
import { FixtureRuns } from '../../../src/editor/testing/fixtureRuns.ts';
import { TestTargets } from '../../../src/editor/testing/testTargets.ts';
import { findFreePort } from '../../soak/freePort.ts';
import { DebuggedApp as DebuggedSession } from '../../support/editor/debuggedApp.ts';
import { eventually, setSetting } from '../../support/editor/inEditor.ts';
import { MemoryMemento } from '../../support/editor/memoryMemento.ts';
import { Receiver } from '../../support/http/receiver.ts';
import { RecordedRuns } from '../../support/editor/recordedRuns.ts';

const secret = 'the secret of the tests';
/** Whether a repeat is taken once is asked for, until the time for that is over. */
const counted = `{
  "body": { "run_id": "r-1" },
  "expect": {
    "status": "2xx",
    "after": { "get": "/count", "bodyContains": "1", "within": 1500 }
  },
  "variants": [
    "as it is",
    "repeat",
    { "name": "bad-signature", "expect": { "status": 401 } }
  ]
}
`;
const text =
  '{\n  "body": {},\n  "expect": { "status": "2xx" },\n  "variants": ["as it is", "bad-signature"]\n}\n';
/** Takes whatever comes, and counts it. */
const debuggedSource = `
let count = 0;
require('node:http')
  .createServer((request, response) => response.end('taken ' + (count += 1)))
  .listen(Number(process.env.PORT), '127.0.0.1');
`;

describe('fixtures in the Test view', () => {
  const folder = vscode.Uri.joinPath(vscode.workspace.workspaceFolders![0]!.uri, 'suite');
  const file = (name: string) => vscode.Uri.joinPath(folder, `${name}.delivery.json`);
  const write = async (name: string, content: string) =>
    vscode.workspace.fs.writeFile(file(name), Buffer.from(content));
  const token = new vscode.CancellationTokenSource();
  let app: Receiver;
  let controller: vscode.TestController;
  let items: FixtureItems;
  let runs: FixtureRuns;
  let recorded: RecordedRuns;
  let prompts: ScriptedPrompts;
  let memento: MemoryMemento;
  let held: HeldSecret[];
  let owned: vscode.Disposable;

  const forwardTo = async (address: string | undefined) => setSetting('listener.forwardTo', address);
  const request = (...include: vscode.TestItem[]) =>
    new vscode.TestRunRequest(include.length === 0 ? undefined : include);
  const itemOf = (name: string) =>
    controller.items.get(folder.toString())?.children.get(file(name).toString());

  const outcomes = () => recorded.last.outcomes.map(({ outcome }) => outcome);

  beforeEach(async () => {
    await write('payment', text);
    // Takes whatever comes, each time anew: it looks at no signature.
    app = await Receiver.start();
    app.otherwise = (asked, response) => {
      const taken = app.received.filter(({ method }) => method === 'POST').length;
      response.writeHead(200).end(asked.url === '/count' ? String(taken) : '\u001b[31mtaken');
    };
    await forwardTo(`${app.url}/hook`);
    prompts = new ScriptedPrompts();
    memento = new MemoryMemento();
    const log = vscode.window.createOutputChannel('Fixture Tests', { log: true });
    const errors = new ErrorSurface({ prompts, log, done: () => Promise.resolve(false) });
    const destinations = new Destinations(memento, prompts);
    controller = vscode.tests.createTestController('runhook.fixtures.test', 'Fixture Tests');
    recorded = new RecordedRuns(controller);
    items = new FixtureItems(controller);
    held = [{ secret, owner: { kind: 'default' } }];
    const listener = {
      destinations,
      secrets: () => Promise.resolve(held),
      state: { kind: 'stopped' as const },
    };
    const targets = new TestTargets({ listener, prompts, memento });
    const debugged = new DebuggedApp({ prompts, memento });
    runs = new FixtureRuns({ controller: recorded.controller, items, targets, app: debugged, errors, log });
    owned = vscode.Disposable.from(controller, items, runs, debugged, destinations, log);
    items.show([file('payment')]);
  });
  afterEach(async () => {
    owned.dispose();
    await forwardTo(undefined);
    await app.close();
    await vscode.workspace.fs.delete(folder, { recursive: true });
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });
  after(() => token.dispose());

  it('are folders, files and variants, at their lines', async () => {
    await write('payment', counted);
    const item = itemOf('payment')!;
    assert.deepEqual([item.label, item.parent?.label, item.children.size], ['payment', 'suite', 0]);
    await items.read(item);
    const variants = [...item.children].map(([, one]) => [one.label, one.range?.start.line, one.sortText]);
    assert.deepEqual(variants, [
      ['as it is', 2, '0000'],
      ['repeat', 8, '0001'],
      ['bad-signature', 9, '0002'],
    ]);
  });

  it('run in order, and fail at the line of what was expected', async () => {
    await write('payment', counted);
    await runs.run(request(), token.token);
    const { outcomes, output, ended } = recorded.last;
    assert.deepEqual(
      outcomes.map(({ label, outcome }) => [label, outcome]),
      [
        ['as it is', 'passed'],
        ['repeat', 'failed'],
        ['bad-signature', 'failed'],
      ],
    );
    const [, repeat, bad] = outcomes.map(({ messages }) => messages[0]);
    assert.match(repeat?.text ?? '', /processed the repeat a second time/);
    assert.deepEqual([repeat?.expected, repeat?.actual, repeat?.line], ['1', '2', 4]);
    assert.deepEqual([bad?.expected, bad?.actual, bad?.line], ['401', '200', 9]);
    assert.match(output, /payment · as it is\r\n {2}POST http:\/\/127\.0\.0\.1:\d+\/hook\r\n {2}→ 200/);
    assert.ok(output.includes('taken') && !output.includes('\u001b') && !output.includes(secret));
    assert.equal(ended, true);
    const signed = app.received.find(({ method }) => method === 'POST');
    assert.match(String(signed?.headers['x-service-webhook-signature']), /^v1,[\da-f]{64}$/);
  });

  it('run one by one: what is asked for, as its file says now', async () => {
    const item = itemOf('payment')!;
    await items.read(item);
    const one = item.children.get('as it is')!;
    await write('payment', text.replace('"status": "2xx"', '"status": 418'));
    await runs.run(request(one), token.token);
    const { outcomes } = recorded.last;
    assert.deepEqual(
      outcomes.map(({ label, outcome }) => [label, outcome]),
      [['as it is', 'failed']],
    );
    await runs.run(new vscode.TestRunRequest(undefined, [item]), token.token);
    assert.deepEqual(recorded.last.outcomes, []);
  });

  it('say of a file that is none where it is wrong, and run the others', async () => {
    await write('broken', '{\n  "body": {},\n  "expects": {}\n}');
    items.show([file('broken'), file('payment')]);
    await runs.run(request(), token.token);
    const [broken, ...others] = recorded.last.outcomes;
    assert.ok(broken);
    assert.equal(broken.outcome, 'errored');
    assert.match(broken.messages[0]?.text ?? '', /"expects" is not known here/);
    assert.equal(broken.messages[0]?.line, 2);
    assert.equal(others.length, 2);
    const error = itemOf('broken')?.error;
    assert.ok(typeof error === 'string' && error.includes('"expects"'));
    await write('broken', '{ "body": {} }');
    await items.change(file('broken'));
    assert.deepEqual([itemOf('broken')?.error, itemOf('broken')?.children.size], [undefined, 1]);
    assert.ok(items.has(folder) && !items.has(file('pay')));
    items.show([]);
    assert.ok(!items.has(folder));
    assert.equal(controller.items.size, 0);
  });

  it('say that nobody has named the app, with what sets its address', async () => {
    await forwardTo(undefined);
    await runs.run(request(), token.token);
    assert.deepEqual(outcomes(), ['errored', 'errored']);
    const [told] = prompts.told();
    assert.match(told?.message ?? '', /The address of your app, .* is not set/);
    assert.deepEqual(told?.verbs, ['Forward to…']);
    assert.deepEqual(app.received, []);
  });

  it('go to the one address that was chosen for them, and back to the routes', async () => {
    await forwardTo(undefined);
    const targets = () => memento.get<string>('testing.to');
    prompts.script([`${app.url}/elsewhere`]);
    const choose = new TestTargets({
      listener: {
        destinations: new Destinations(memento, prompts),
        secrets: () => Promise.resolve([]),
        state: { kind: 'stopped' },
      },
      prompts,
      memento,
    });
    await choose.choose();
    assert.equal(targets(), `${app.url}/elsewhere`);
    await runs.run(request(), token.token);
    assert.equal(app.received[0]?.path, '/elsewhere');
    prompts.script(['']);
    await choose.choose();
    assert.equal(targets(), undefined);
  });

  it('leave this machine only where the user says so, each time', async () => {
    await forwardTo('https://elsewhere.example/hook');
    prompts.script([false]);
    await runs.run(request(), token.token);
    assert.deepEqual(outcomes(), ['skipped', 'skipped']);
    assert.deepEqual(prompts.told(), []);
  });

  it('go unsigned where no secret is kept; what needs one says so, with what sets it', async () => {
    held = [];
    await write('payment', '{"body": {}, "variants": ["as it is", "repeat", "stale", "bad-signature"]}');
    await runs.run(request(), token.token);
    assert.deepEqual(outcomes(), ['passed', 'passed', 'errored', 'errored']);
    const [told, ...others] = prompts.told();
    assert.match(told?.message ?? '', /"stale" needs the secret that signs the delivery/);
    assert.deepEqual([told?.verbs, others], [['Set Webhook Secret'], []]);
  });

  it('are broken off: the one that hangs, and those behind it', async () => {
    app.otherwise = 'hang';
    const cancelled = new vscode.CancellationTokenSource();
    const done = Promise.resolve(runs.run(request(), cancelled.token));
    await app.count(1);
    cancelled.cancel();
    await done;
    assert.deepEqual(outcomes(), ['skipped', 'skipped']);
    assert.deepEqual([recorded.last.ended, app.received.length], [true, 1]);
  });

  it('run again when a file of the app is saved, until that is ended', async () => {
    const following = new vscode.CancellationTokenSource();
    const continuous = new vscode.TestRunRequest(undefined, undefined, undefined, true);
    await runs.run(continuous, following.token);
    assert.deepEqual(recorded.all, []);
    const handler = vscode.Uri.joinPath(folder, 'handler.py');
    await vscode.workspace.fs.writeFile(handler, Buffer.from('# a'));
    const editor = await vscode.window.showTextDocument(handler);
    const save = async () => {
      await editor.edit((edit) => edit.insert(new vscode.Position(0, 0), '# b\n'));
      await editor.document.save();
    };
    await save();
    await eventually(() => (recorded.all.at(-1)?.ended === true ? true : undefined));
    assert.equal(recorded.last.outcomes.length, 2);
    following.cancel();
    const before = recorded.all.length;
    await save();
    await runs.run(request(), token.token);
    assert.equal(recorded.all.length, before + 1);
  });

  it('are debugged by a launch configuration, which there has to be', async () => {
    await runs.debug(request(), token.token);
    const [told] = prompts.told();
    assert.match(told?.message ?? '', /no launch configuration/);
    assert.deepEqual(told?.verbs, ['Debug a Handler']);
    assert.deepEqual(app.received, []);
  });

  it('have their app started by a debugger first, which goes on for the next', async () => {
    const port = await findFreePort();
    await forwardTo(`http://127.0.0.1:${port}`);
    await vscode.workspace.fs.writeFile(vscode.Uri.joinPath(folder, 'app.cjs'), Buffer.from(debuggedSource));
    const launch = vscode.workspace.getConfiguration('launch', vscode.workspace.workspaceFolders?.[0]);
    const program = '${workspaceFolder}/suite/app.cjs';
    const one = { name: 'My App', type: 'node', request: 'launch', program, env: { PORT: String(port) } };
    await launch.update('configurations', [one]);
    const debugged = new DebuggedSession();
    try {
      // The next one asks for nothing.
      prompts.script(['My App']);
      for (const count of ['1', '3']) {
        await runs.debug(request(), token.token);
        const { output } = recorded.last;
        assert.deepEqual(outcomes(), ['passed', 'failed']);
        assert.ok(output.includes(`taken ${count}`), output);
      }
      assert.deepEqual(prompts.told(), []);
    } finally {
      await debugged.end();
      await launch.update('configurations', undefined);
    }
  });

  it('are sent to the app that Debug a Handler has started, where no launch configuration is chosen', async () => {
    const port = await findFreePort();
    await forwardTo(`http://127.0.0.1:${port}`);
    const program = vscode.Uri.joinPath(folder, 'app.cjs');
    await vscode.workspace.fs.writeFile(program, Buffer.from(debuggedSource));
    const env = { PORT: String(port) };
    const started = {
      name: 'Debug Webhook Handler',
      type: 'node',
      request: 'launch',
      program: program.fsPath,
    };
    const debugged = new DebuggedSession();
    try {
      assert.ok(await vscode.debug.startDebugging(undefined, { ...started, env }));
      await runs.debug(request(), token.token);
      assert.deepEqual(outcomes(), ['passed', 'failed']);
      assert.deepEqual(prompts.told(), []);
    } finally {
      await debugged.end();
    }
  });
});
