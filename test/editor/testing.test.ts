import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import * as vscode from 'vscode';
import { whenFixture } from '../../src/editor/activation/hasWork.ts';
import { ScriptedPrompts } from '../../src/editor/kit/scriptedPrompts.ts';
import { DebuggedApp } from '../../src/editor/debug/debuggedApp.ts';
import { createFixturesCommands } from '../../src/editor/deliveries/fixtures/createFixturesCommand.ts';
import type { HeldSecret } from '../../src/service/signature/webhookSecret.ts';
import { ErrorSurface } from '../../src/editor/kit/errorSurface.ts';
import { Destinations } from '../../src/editor/listener/destinations.ts';
import { FixtureItems } from '../../src/editor/testing/fixtureItems.ts';
import { FixtureRuns } from '../../src/editor/testing/fixtureRuns.ts';
import { detailsOf } from '../../src/editor/testing/handlerCoverage.ts';
import { takesConnection } from '../../src/suite/run/untilListening.ts';
import { targetFor, TestTargets } from '../../src/editor/testing/testTargets.ts';
import { FixtureWatch } from '../../src/editor/testing/feature.ts';
import { testsIn } from '../../src/suite/fixture/foundFixtures.ts';
import { sign } from '../../src/service/signature/signature.ts';
import { command, deliveries, eventually, setSetting } from '../support/editor/inEditor.ts';
import { DebuggedApp as DebuggedSession } from '../support/editor/debuggedApp.ts';
import { MemoryMemento } from '../support/editor/memoryMemento.ts';
import { countSearches, searchBy } from '../support/editor/searches.ts';
import { TestClock } from '../support/time/testClock.ts';
import { Receiver } from '../support/http/receiver.ts';
import { RecordedRuns } from '../support/editor/recordedRuns.ts';
import { findFreePort } from '../soak/freePort.ts';

describe('the first fixtures of an app', () => {
  const folder = vscode.Uri.joinPath(vscode.workspace.workspaceFolders![0]!.uri, '.runhook', 'fixtures');
  const read = async (uri: string) =>
    JSON.parse(Buffer.from(await vscode.workspace.fs.readFile(vscode.Uri.parse(uri))).toString()) as {
      body: unknown;
    };

  afterEach(async () => {
    await vscode.workspace.fs.delete(folder, { recursive: true });
    await command('stopListener');
    await command('clearDeliveries');
  });

  it('are written once, with the body of a delivery, and let Runhook load in a window that has them', async () => {
    await command('clearDeliveries');
    await command('startListener', {});
    await command('sendTestDelivery', { body: { run_id: 'run-real', name: 'private' } });
    const id = await eventually(async () => (await deliveries())[0]?.id);
    let found = 0;
    // The editor reports no file of a folder that was created with it; nothing is searched for by this clock.
    const seen = whenFixture(() => (found += 1), new TestClock());
    const { files } = await command<{ files: string[] }>('createFixtures', { id, appName: 'pay' });
    await eventually(() => found || undefined);
    seen.dispose();
    assert.deepEqual(
      files.map((file) => file.slice(file.lastIndexOf('/') + 1)),
      ['ok', 'repeat', 'concurrent', 'bad-signature', 'stale', 'malformed'].map(
        (name) => `pay-${name}.delivery.json`,
      ),
    );
    assert.deepEqual((await read(files[0]!)).body, { run_id: 'run-real', name: 'private' });
    assert.deepEqual(await command('createFixtures', { id, appName: 'pay' }), { files: [] });
    const calls: string[] = [];
    const ended = whenFixture(() => calls.push('after its end'));
    ended.dispose();
    const look = whenFixture(() => calls.push('once'));
    // It is opened, and is found.
    await vscode.workspace.openTextDocument(vscode.Uri.parse(files[0]!));
    await eventually(() => (calls.includes('once') ? true : undefined));
    const last = whenFixture(() => calls.push('last'));
    await eventually(() => (calls.includes('last') ? true : undefined));
    for (const one of [look, last]) one.dispose();
    assert.deepEqual(calls, ['once', 'last']);
  });

  it('are said to have been written, with the view that runs them', async () => {
    const told: unknown[] = [];
    const prompts = {
      tell: (message: string, verbs: readonly string[]) => {
        told.push([message, verbs]);
        return Promise.resolve(undefined);
      },
    };
    const listener = { page: () => Promise.resolve({ deliveries: [] }) };
    const written = vscode.Uri.joinPath(folder, 'first.delivery.json');
    await vscode.workspace.fs.writeFile(written, Buffer.from('{}'));
    const fixtures = { saveNew: () => Promise.resolve([written, written]) };
    const given = [listener, prompts, fixtures] as unknown as Parameters<typeof createFixturesCommands>;
    await createFixturesCommands(...given).createFixtures({ appName: 'pay' }, 'menu');
    const said =
      'Created 2 fixtures for pay. Their body is an example, since no delivery of the app is kept.';
    assert.deepEqual(told, [[said, ['Show Tests']]]);
  });

  it('have the fields of the sandbox where nothing of the app has arrived', async () => {
    const { files } = await command<{ files: string[] }>('createFixtures', { appName: 'never ran' });
    const { body } = await read(files[0]!);
    assert.deepEqual(Object.keys(body as object), ['run_id', 'app_name', 'status', 'result', 'timestamp']);
  });
});

const source = `require('node:http')
  .createServer((request, response) => response.end())
  .listen(Number(process.env.PORT), '127.0.0.1');`;

describe('the app that is debugged', () => {
  it('goes on for the next test where several are started under one name', async () => {
    const port = await findFreePort();
    const [folder] = vscode.workspace.workspaceFolders!;
    const file = vscode.Uri.joinPath(folder!.uri, 'debugged.cjs');
    await vscode.workspace.fs.writeFile(file, Buffer.from(source));
    const launch = vscode.workspace.getConfiguration('launch', folder);
    const env = { PORT: String(port) };
    const program = '${workspaceFolder}/debugged.cjs';
    await launch.update('configurations', [{ name: 'One', type: 'node', request: 'launch', program, env }]);
    await launch.update('compounds', [{ name: 'All', configurations: ['One'] }]);
    const prompts = new ScriptedPrompts();
    const app = new DebuggedApp({ prompts, memento: new MemoryMemento() });
    const debugged = new DebuggedSession();
    let started = 0;
    const counting = vscode.debug.onDidStartDebugSession(({ parentSession }) => {
      if (parentSession === undefined) started += 1;
    });
    try {
      prompts.script(['All']);
      const to = new URL(`http://127.0.0.1:${port}`);
      for (let time = 0; time < 3; time += 1) await app.ready(to, new AbortController().signal);
      assert.equal(started, 1);
    } finally {
      counting.dispose();
      app.dispose();
      await debugged.end();
      for (const key of ['configurations', 'compounds']) await launch.update(key, undefined);
      await vscode.workspace.fs.delete(file);
    }
  });
});

const second = 1000;

describe('the look for a first fixture', () => {
  const [{ uri: folder } = assert.fail('no folder is open')] = vscode.workspace.workspaceFolders ?? [];
  const clock = new TestClock();
  const files: vscode.Uri[] = [];
  let calls = 0;
  let look: vscode.Disposable | undefined;

  const start = (): void => {
    look = whenFixture(() => (calls += 1), clock);
  };
  async function write(path: string): Promise<vscode.Uri> {
    const uri = vscode.Uri.joinPath(folder, path);
    await vscode.workspace.fs.writeFile(uri, Buffer.from('{}'));
    files.push(uri);
    return uri;
  }

  afterEach(async () => {
    look?.dispose();
    calls = 0;
    for (const uri of files.splice(0)) await vscode.workspace.fs.delete(uri);
  });

  it('finds one in the root folder, by one search, a second after the start', async () => {
    await write('first.delivery.json');
    await countSearches(async (count) => {
      start();
      clock.advance(second - 1);
      assert.equal(count(), 0);
      clock.advance(1);
      await eventually(() => (calls > 0 ? true : undefined));
      clock.advance(10 * second);
      assert.deepEqual([count(), calls], [1, 1]);
    });
  });

  it('finds one of the older form, by a search or as it is opened', async () => {
    const fixture = await write('.runhook/fixtures/older.json');
    start();
    clock.advance(second);
    await eventually(() => (calls > 0 ? true : undefined));
    start();
    await vscode.workspace.openTextDocument(fixture);
    await eventually(() => (calls > 1 ? true : undefined));
  });

  it('does not search once a fixture was opened', async () => {
    const fixture = await write('opened.delivery.json');
    await countSearches(async (count) => {
      start();
      await vscode.workspace.openTextDocument(fixture);
      await eventually(() => (calls > 0 ? true : undefined));
      clock.advance(second);
      assert.deepEqual([count(), calls], [0, 1]);
    });
  });

  it('does not search once it has ended', async () => {
    await countSearches((count) => {
      start();
      look?.dispose();
      clock.advance(second);
      assert.equal(count(), 0);
    });
    assert.equal(clock.nextIn, undefined);
  });

  it('ends its search where a fixture is opened meanwhile', async () => {
    const fixture = await write('meanwhile.delivery.json');
    let token: vscode.CancellationToken | undefined;
    const endless: typeof vscode.workspace.findFiles = (_include, _exclude, _most, given) => {
      token = given;
      return new Promise(() => undefined);
    };
    await searchBy(endless, async () => {
      start();
      clock.advance(second);
      await vscode.workspace.openTextDocument(fixture);
      await eventually(() => (calls > 0 ? true : undefined));
      assert.equal(token?.isCancellationRequested, true);
    });
  });
});

/** How long the app of the test takes to restart: longer than a refused connection. */
const restartMs = 300;

describe('fixtures that run on each save', () => {
  // Of its own: the editor keeps the text of a document whose file was deleted.
  const folder = vscode.Uri.joinPath(vscode.workspace.workspaceFolders![0]!.uri, 'retried');
  const forwardTo = async (address: string | undefined) => setSetting('listener.forwardTo', address);

  afterEach(async () => {
    await forwardTo(undefined);
    await vscode.workspace.fs.delete(folder, { recursive: true });
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });

  it('wait for an app that restarts when they are tried again, after their round was cancelled too', async () => {
    const app = await Receiver.start();
    await forwardTo(app.url);
    const port = await findFreePort();
    const restarted = createServer((_, response) => response.end('taken'));
    const following = new vscode.CancellationTokenSource();
    const prompts = new ScriptedPrompts();
    let held: HeldSecret[] = [];
    const done: ConstructorParameters<typeof ErrorSurface>[0]['done'] = async (_id, _argument, then) => {
      held = [{ secret: 'the secret of the tests', owner: { kind: 'default' } }];
      await forwardTo(`http://127.0.0.1:${port}`);
      following.cancel();
      setTimeout(() => restarted.listen(port, '127.0.0.1'), restartMs);
      await then?.();
    };
    const memento = new MemoryMemento();
    const log = vscode.window.createOutputChannel('Fixture Tests', { log: true });
    const errors = new ErrorSurface({ prompts, log, done });
    const destinations = new Destinations(memento, prompts);
    const controller = vscode.tests.createTestController('runhook.fixtures.retry', 'Fixture Tests');
    const recorded = new RecordedRuns(controller);
    const items = new FixtureItems(controller);
    const secrets = () => Promise.resolve(held);
    const targets = new TestTargets({
      listener: { destinations, secrets, state: { kind: 'stopped' } },
      prompts,
      memento,
    });
    const debugged = new DebuggedApp({ prompts, memento });
    const runs = new FixtureRuns({
      ...{ controller: recorded.controller, items, targets, app: debugged, errors, log },
    });
    const owned = vscode.Disposable.from(controller, runs, debugged, destinations, log, following);
    try {
      const file = vscode.Uri.joinPath(folder, 'payment.delivery.json');
      await vscode.workspace.fs.writeFile(file, Buffer.from('{"body": {}, "variants": ["stale"]}'));
      await items.show([file]);
      await runs.run(new vscode.TestRunRequest(undefined, undefined, undefined, true), following.token);
      prompts.script([{ verb: 'Set Webhook Secret…' }]);
      const editor = await vscode.window.showTextDocument(file);
      await editor.edit((edit) => edit.insert(new vscode.Position(0, 0), '\n'));
      await editor.document.save();
      const [first, second] = await eventually(() => (recorded.all[1]?.ended ? recorded.all : undefined));
      assert.deepEqual(
        first?.outcomes.map(({ outcome }) => outcome),
        ['errored'],
      );
      const told = second?.outcomes.flatMap(({ messages }) => messages.map((one) => one.text.split('\n')[0]));
      // The app takes what is stale: the test fails by its answer.
      assert.deepEqual(told, ['Expected 4xx, got 200.']);
    } finally {
      owned.dispose();
      restarted.close();
      await app.close();
    }
  });
});

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
/** Looks at the signature: the variants reach different lines. */
const verifyingSource = `const { createHmac } = require('node:crypto');
const http = require('node:http');

function isGenuine(headers, body) {
  const message = headers['x-request-id'] + '.' + headers['x-service-webhook-timestamp'] + '.' + body;
  const made = createHmac('sha256', process.env.SECRET).update(message).digest('hex');
  return headers['x-service-webhook-signature'] === 'v1,' + made;
}

const server = http.createServer(async (request, response) => {
  let body = '';
  for await (const part of request) body += part;
  if (isGenuine(request.headers, body)) {
    response.statusCode = 201;
  } else {
    response.statusCode = 401;
  }
  if (request.url === '/never') {
    response.statusCode = 418;
  }
  response.end();
});
server.listen(Number(process.env.PORT), '127.0.0.1');
`;

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
    const errors = new ErrorSurface({ prompts, log, done: () => Promise.resolve() });
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
    owned = vscode.Disposable.from(controller, runs, debugged, destinations, log);
    await items.show([file('payment')]);
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
    await items.show([]);
    await write('payment', counted);
    await items.show([file('payment')]);
    const item = itemOf('payment')!;
    assert.deepEqual([item.label, item.parent?.label], ['payment', 'suite']);
    const variants = [...item.children].map(([, one]) => [one.label, one.range?.start.line, one.sortText]);
    assert.deepEqual(variants, [
      ['as delivered · payment', 2, '0000'],
      ['repeat · payment', 8, '0001'],
      ['bad-signature · payment', 9, '0002'],
    ]);
  });

  it('name their app where their own name does not', async () => {
    await write('payment', '{ "app": "pay", "body": {} }');
    const item = itemOf('payment')!;
    await items.read(item);
    assert.equal(item.description, '');
    // Of one variant, it is the test.
    assert.deepEqual([item.children.size, item.canResolveChildren], [0, false]);
    await runs.run(request(), token.token);
    assert.deepEqual(
      recorded.last.outcomes.map(({ label, outcome }) => [label, outcome]),
      [['payment', 'passed']],
    );
    await write('payment', '{ "app": "shop", "body": {} }');
    await items.read(item);
    assert.equal(item.description, 'shop');
  });

  it('run in order, and fail at the line of what was expected', async () => {
    await write('payment', counted);
    await runs.run(request(), token.token);
    const { outcomes, output, ended } = recorded.last;
    assert.deepEqual(
      outcomes.map(({ label, outcome }) => [label, outcome]),
      [
        ['as delivered · payment', 'passed'],
        ['repeat · payment', 'failed'],
        ['bad-signature · payment', 'failed'],
      ],
    );
    const [, repeat, bad] = outcomes.map(({ messages }) => messages[0]);
    // No comparison, in whose place the editor would not show the cause.
    assert.match(
      repeat?.text ?? '',
      /contains "1", got "2"\.\n\nYour handler processed the repeat a second time/,
    );
    assert.deepEqual([repeat?.expected, repeat?.actual, repeat?.line], [undefined, undefined, 4]);
    assert.match(bad?.text ?? '', /^Expected 401, got 200\.\n\nYour handler accepted .* a wrong signature/);
    assert.equal(bad?.line, 9);
    // The terminal's bold, green and red.
    const [head, passed, unmet] = [1, 32, 31].map((style) => `\u001b[${style}m`);
    assert.ok(output.startsWith(`${head}payment · as delivered\u001b[0m\r\n  POST ${app.url}/hook\r\n`));
    assert.match(output.slice(output.indexOf(passed!)), /^.{5} {2}→ 200 \([^)]*\)\u001b\[0m\r\n/);
    for (const line of ['  → 200 (', '✗ Expected 401, got 200.'])
      assert.ok(output.includes(`\n${unmet}${line}`), line);
    // Nothing of the handler has a colour.
    assert.ok(output.includes('    ·[31mtaken\r\n') && !output.includes(secret));
    assert.doesNotMatch(output, /[^\n]\u001b(?!\[0m\r)/);
    assert.equal(ended, true);
    const signed = app.received.find(({ method }) => method === 'POST');
    assert.match(String(signed?.headers['x-service-webhook-signature']), /^v1,[\da-f]{64}$/);
  });

  it('say why the handler failed, and lead to the line that its response names', async () => {
    const code = vscode.Uri.joinPath(folder, 'handler.mjs');
    await vscode.workspace.fs.writeFile(code, Buffer.from('// one line\nthrow new Error();\n'));
    app.otherwise = (_, response) =>
      response.writeHead(500).end(`SyntaxError: Unexpected end\n    at handle (${code.fsPath}:2:7)`);
    await write('payment', '{ "body": {} }');
    await runs.run(request(), token.token);
    const [failed] = recorded.last.outcomes[0]!.messages;
    assert.match(failed?.text ?? '', /\n\nYour handler failed: "SyntaxError: Unexpected end"\. The service/);
    assert.deepEqual(failed?.stack, ['handler.mjs:2:6']);
  });

  it('compare what is too long for a message', async () => {
    const body = 'long '.repeat(100);
    app.otherwise = (_, response) => response.writeHead(200).end(body);
    await write('payment', '{ "body": {}, "expect": { "bodyContains": "short" } }');
    await runs.run(request(), token.token);
    const [message] = recorded.last.outcomes.flatMap(({ messages }) => messages);
    assert.deepEqual([message?.expected, message?.actual], ['short', body]);
  });

  it('run one by one: what is asked for, as its file says now', async () => {
    const item = itemOf('payment')!;
    const one = item.children.get('as it is')!;
    await write('payment', text.replace('"status": "2xx"', '"status": 418'));
    await runs.run(request(one), token.token);
    const { outcomes } = recorded.last;
    assert.deepEqual(
      outcomes.map(({ label, outcome }) => [label, outcome]),
      [['as delivered · payment', 'failed']],
    );
    await runs.run(new vscode.TestRunRequest(undefined, [item]), token.token);
    assert.deepEqual(recorded.last.outcomes, []);
  });

  it('say of a file that is none where it is wrong, and run the others', async () => {
    await write('broken', '{\n  "body": {},\n  "expects": {}\n}');
    await items.show([file('broken'), file('payment')]);
    await runs.run(request(), token.token);
    const [broken, ...others] = recorded.last.outcomes;
    assert.ok(broken);
    assert.equal(broken.outcome, 'errored');
    assert.match(broken.messages[0]?.text ?? '', /"expects" is unknown/);
    assert.equal(broken.messages[0]?.line, 2);
    assert.equal(others.length, 2);
    const error = itemOf('broken')?.error;
    assert.ok(typeof error === 'string' && error.includes('"expects"'));
    await write('broken', '{ "body": {} }');
    await items.change(file('broken'));
    assert.deepEqual([itemOf('broken')?.error, itemOf('broken')?.children.size], [undefined, 0]);
    assert.ok(items.has(folder) && !items.has(file('pay')));
    await items.show([]);
    assert.ok(!items.has(folder));
    assert.equal(controller.items.size, 0);
  });

  it('say that nobody has named the app, with what sets its address', async () => {
    await forwardTo(undefined);
    await runs.run(request(), token.token);
    assert.deepEqual(outcomes(), ['errored', 'errored']);
    const [told] = prompts.told();
    assert.match(told?.message ?? '', /^Set the address of your handler first/);
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
    assert.deepEqual([told?.verbs, others], [['Set Webhook Secret…'], []]);
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
    assert.match(told?.message ?? '', /No launch configuration/);
    assert.deepEqual(told?.verbs, ['Debug a Handler…']);
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

  describe('measure the handler', () => {
    const program = vscode.Uri.joinPath(folder, 'app.cjs');
    const launch = vscode.workspace.getConfiguration('launch', vscode.workspace.workspaceFolders?.[0]);
    let to: URL;
    const configure = (configuration: object) =>
      launch.update('configurations', [{ name: 'My App', request: 'launch', ...configuration }]);
    const environment = () => ({ PORT: to.port, SECRET: secret });
    /** The lines that ran, and those that did not, from 1. */
    const lines = (item?: vscode.TestItem) => {
      const [file = assert.fail('nothing was measured'), ...others] = recorded.last.coverage;
      assert.deepEqual([file.uri.fsPath, others], [program.fsPath, []]);
      const all = detailsOf(file, item);
      const numbers = (ran: boolean) =>
        all.flatMap(({ executed, location }) =>
          location instanceof vscode.Position && Number(executed) > 0 === ran ? [location.line + 1] : [],
        );
      return { ran: numbers(true), missed: numbers(false) };
    };

    beforeEach(async () => {
      to = new URL(`http://127.0.0.1:${await findFreePort()}`);
      await forwardTo(to.href);
      await vscode.workspace.fs.writeFile(program, Buffer.from(verifyingSource));
    });
    afterEach(() => launch.update('configurations', undefined));

    it('by variant, each time from its start', async () => {
      await configure({ type: 'node', program: program.fsPath, env: environment() });
      // The second time asks for nothing.
      prompts.script(['My App']);
      for (let time = 0; time < 2; time += 1) {
        await runs.cover(request(), token.token);
        assert.deepEqual([outcomes(), prompts.told()], [['passed', 'passed'], []]);
        assert.deepEqual(lines().missed, [19]);
        const [first, second] = [...itemOf('payment')!.children].map(([, item]) => item);
        assert.deepEqual(recorded.last.coverage[0]?.includesTests, [first, second]);
        assert.ok(lines(first).ran.includes(14) && !lines(first).ran.includes(16));
        assert.ok(lines(second).ran.includes(16) && !lines(second).ran.includes(14));
        const { covered, total } = recorded.last.coverage[0].statementCoverage;
        assert.equal(total - covered, 1);
        // The handler has ended.
        assert.equal(await takesConnection(to, AbortSignal.timeout(5000)), false);
      }
    });

    it('with the secret that its start has made, as a debugged one is', async () => {
      held = [];
      const making = vscode.commands.registerCommand('runhook.test.madeSecret', () => {
        held = [{ secret, owner: { kind: 'default' } }];
        return secret;
      });
      const debugged = new DebuggedSession();
      try {
        const env = { ...environment(), SECRET: '${command:runhook.test.madeSecret}' };
        await configure({ type: 'node', program: program.fsPath, env });
        prompts.script(['My App']);
        for (const way of ['cover', 'debug'] as const) {
          held = [];
          await runs[way](request(), token.token);
          assert.deepEqual([way, outcomes(), prompts.told()], [way, ['passed', 'passed'], []]);
        }
      } finally {
        making.dispose();
        await debugged.end();
      }
    });

    it('that its only file starts, where there is no launch.json', async () => {
      await vscode.workspace.fs.writeFile(
        program,
        Buffer.from(verifyingSource.replace('process.env.SECRET', JSON.stringify(secret))),
      );
      const other = vscode.Uri.joinPath(folder, 'other.cjs');
      await vscode.workspace.fs.writeFile(other, Buffer.from(''));
      prompts.script(['suite/app.cjs']);
      for (let time = 0; time < 2; time += 1) await runs.cover(request(), token.token);
      assert.deepEqual([outcomes(), prompts.told()], [['passed', 'passed'], []]);
      assert.deepEqual(lines().missed, [19]);
    });

    it('that a file of Node starts: one of Python is not started, and asked for again', async () => {
      const source = verifyingSource.replace('process.env.SECRET', JSON.stringify(secret));
      await vscode.workspace.fs.writeFile(program, Buffer.from(source));
      await vscode.workspace.fs.writeFile(vscode.Uri.joinPath(folder, 'app.py'), Buffer.from(''));
      prompts.script(['suite/app.py']);
      await runs.cover(request(), token.token);
      assert.deepEqual(outcomes(), ['errored', 'errored']);
      const message = '"suite/app.py" does not run your handler in Node: coverage is measured there alone.';
      assert.deepEqual(prompts.told(), [{ message, verbs: ['Try Again'] }]);
      prompts.script(['suite/app.cjs']);
      await runs.cover(request(), token.token);
      assert.deepEqual([outcomes(), prompts.told()], [['passed', 'passed'], []]);
    });

    it('and say at once where it ends before it listens', async () => {
      await vscode.workspace.fs.writeFile(program, Buffer.from('throw new Error("no");'));
      await configure({ type: 'node', program: program.fsPath, env: environment() });
      prompts.script(['My App']);
      await runs.cover(request(), token.token);
      const message = `"My App" ended before it listened on ${to.host}. The Debug Console says why. If nothing stands there, the file starts no server.`;
      assert.deepEqual(prompts.told(), [{ message, verbs: ['Try Again', 'Forward to…'] }]);
    });

    it('and say why they cannot: it runs already, or not in Node', async () => {
      await configure({ type: 'node', program: program.fsPath, env: environment() });
      prompts.script(['My App']);
      await forwardTo(app.url);
      await runs.cover(request(), token.token);
      assert.deepEqual(outcomes(), ['errored', 'errored']);
      const [told] = prompts.told();
      assert.match(told?.message ?? '', /already listens at 127\.0\.0\.1:\d+\. End it first/);
      assert.deepEqual(told?.verbs, ['Try Again']);
      await forwardTo(to.href);
      const server = `from http.server import *; HTTPServer(('127.0.0.1', ${to.port}), BaseHTTPRequestHandler).serve_forever()`;
      const args = ['-c', server];
      await configure({ type: 'node', program: 'none.js', runtimeExecutable: 'python3', runtimeArgs: args });
      await runs.cover(request(), token.token);
      assert.deepEqual(outcomes(), ['errored', 'errored']);
      assert.match(prompts.told()[0]?.message ?? '', /"My App" does not run your handler in Node/);
      await eventually(async () =>
        (await takesConnection(to, AbortSignal.timeout(5000))) ? undefined : true,
      );
    });
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

describe('the fixtures of the workspace', () => {
  const folder = vscode.workspace.workspaceFolders![0]!.uri.fsPath;
  const log = vscode.window.createOutputChannel('fixture watch', { log: true });
  let controller: vscode.TestController;
  let items: FixtureItems;
  let watch: FixtureWatch;
  let lists: number;
  let changed: string[];

  const pathOf = (name: string) => join(folder, `${name}.delivery.json`);
  async function write(name: string, text = '{}'): Promise<void> {
    await mkdir(dirname(pathOf(name)), { recursive: true });
    await writeFile(pathOf(name), text);
  }
  const shown = (): string[] =>
    [...controller.items].flatMap(([, { children }]) => [...children].map(([, { label }]) => label)).sort();
  const shows = async (...names: string[]): Promise<unknown> =>
    eventually(() => (JSON.stringify(shown()) === JSON.stringify(names) ? true : undefined));
  const start = (): void => {
    watch = new FixtureWatch(log, {
      has: (uri) => items.has(uri),
      show: (uris) => {
        lists += 1;
        return items.show(uris);
      },
      change: (uri) => {
        changed.push(uri.path.slice(uri.path.lastIndexOf('/') + 1));
        return items.change(uri);
      },
    });
  };

  beforeEach(async () => {
    [lists, changed] = [0, []];
    controller = vscode.tests.createTestController('runhook.fixtures.watch', 'fixture watch');
    items = new FixtureItems(controller);
    await write('elsewhere/one');
    start();
    await shows('one');
  });
  afterEach(async () => {
    for (const one of [watch, controller]) one.dispose();
    for (const name of ['.runhook', 'elsewhere', 'other'])
      await rm(join(folder, name), { recursive: true, force: true });
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });
  after(() => log.dispose());

  it('are those that are there, come and go, also with their folder', async () => {
    await write('elsewhere/two');
    await shows('one', 'two');
    await write('elsewhere/two', '{ }');
    await eventually(() => (changed.includes('two.delivery.json') ? true : undefined));
    await rm(pathOf('elsewhere/one'));
    await shows('two');
    await rm(join(folder, 'elsewhere'), { recursive: true });
    await shows();
  });

  it('stand under the name of their folder, and not under its path on this machine', async () => {
    const name = 'at-the-root';
    try {
      await write(name);
      await shows(name, 'one');
      const folders = [...controller.items].map(([, { label }]) => label).sort();
      assert.deepEqual(folders, ['elsewhere', vscode.workspace.workspaceFolders![0]!.name].sort());
    } finally {
      await rm(pathOf(name));
    }
  });

  it('are searched for once for all that changes meanwhile', async () => {
    await countSearches(async (count) => {
      await Promise.all([watch.list(), watch.list(), watch.list()]);
      assert.equal(count(), 1);
    });
  });

  it('are all shown once the view is used, in whichever folders they were made', async () => {
    for (let round = 0; round < 3; round += 1) {
      await write(`.runhook/fixtures/${round}`);
      await write(`other/deep/below/${round}`);
      await watch.list();
      await shows(String(round), String(round), 'one');
      await rm(join(folder, '.runhook'), { recursive: true });
      await rename(join(folder, 'other/deep'), join(folder, 'other/moved'));
      await watch.list();
      await shows(String(round), 'one');
      await rm(join(folder, 'other'), { recursive: true });
      await watch.list();
      await shows('one');
    }
  });

  it('are shown with the first of them that is opened or saved', async () => {
    let before = lists;
    await items.show([]);
    const document = await vscode.workspace.openTextDocument(pathOf('elsewhere/one'));
    await shows('one');
    assert.ok(lists > before);
    // The editor does not report again that it is open.
    const editor = await vscode.window.showTextDocument(document);
    before = lists;
    await items.show([]);
    await editor.edit((edit) => edit.insert(new vscode.Position(0, 0), ' '));
    await document.save();
    await shows('one');
    assert.ok(lists > before);
  });
});

describe('where fixtures of the Test view go', () => {
  let destinations: Destinations;
  afterEach(async () => {
    destinations.dispose();
    await setSetting('listener.forwardTo', undefined);
  });

  it('is the address of their app, signed with the secret of each', async () => {
    await vscode.workspace
      .getConfiguration('runhook')
      .update('listener.forwardTo', 'http://127.0.0.1:9/', true);
    const [prompts, memento] = [new ScriptedPrompts(), new MemoryMemento()];
    destinations = new Destinations(memento, prompts);
    const secrets = ['the secret of one', 'the secret of another'];
    const held = secrets.map((secret, at): HeldSecret => {
      return { secret, owner: { kind: 'app', projectId: 'p', name: `app-${at}` } };
    });
    const listener = {
      destinations,
      secrets: () => Promise.resolve(held),
      state: { kind: 'stopped' as const },
    };
    const tests = secrets.flatMap((secret, at) => {
      const body = `{"n":${at}}`;
      const headers = {
        'x-request-id': 'r',
        'x-service-webhook-timestamp': '1',
        'x-service-webhook-signature': `v1,${sign(secret, 'r', '1', Buffer.from(body))}`,
      };
      return testsIn(`${at}.json`, () => JSON.stringify({ headers, body }));
    });
    const all = new TestTargets({ listener, prompts, memento });
    const targets = await all.signed(await all.addresses(tests));
    assert.deepEqual(
      tests.map((test) => targetFor(test, targets).secret),
      secrets,
    );
  });
});
