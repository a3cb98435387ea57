import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { offeredConfigurations } from '../../../src/editor/debug/feature.ts';
import { findFreePort } from '../../soak/freePort.ts';
import {
  answerPrompts,
  command,
  deliveries,
  eventually,
  shownMessages,
} from '../../support/editor/inEditor.ts';
import { DebuggedApp } from '../../support/editor/debuggedApp.ts';
import { writeTasksJson } from '../../support/editor/taskRuns.ts';
import { Receiver } from '../../support/http/receiver.ts';

/** Verifies as the snippets do, with the secret that it is started with. */
const handler = `
const { createHmac } = require('node:crypto');
const { createServer } = require('node:http');

function isGenuine(headers, body) {
  const signed = headers['x-request-id'] + '.' + headers['x-service-webhook-timestamp'] + '.' + body;
  const digest = createHmac('sha256', process.env.WEBHOOK_SECRET).update(signed).digest('hex');
  return headers['x-service-webhook-signature'] === 'v1,' + digest; // here
}

const server = createServer((request, response) => {
  let body = '';
  request.on('data', (chunk) => (body += chunk));
  request.on('end', () => response.writeHead(isGenuine(request.headers, body) ? 200 : 401).end(request.url));
});
server.listen(Number(process.env.PORT), '127.0.0.1', () => console.log('ready'));
`;
const line = handler.split('\n').findIndex((text) => text.endsWith('// here'));
const name = 'Debug Webhook Handler';

describe('a handler that is debugged', () => {
  const folder = vscode.workspace.workspaceFolders![0]!;
  const uri = (...path: string[]) => vscode.Uri.joinPath(folder.uri, ...path);
  const file = uri('server', 'handler.cjs');
  let projectId: string;
  let port: number;

  before(async () => {
    await vscode.workspace.fs.writeFile(file, Buffer.from(handler));
    await vscode.workspace.fs.writeFile(uri('server', 'other.py'), Buffer.from(''));
    ({ projectId } = await command<{ projectId: string }>('startSandbox'));
    await command('stopListener');
  });
  after(async () => {
    await vscode.workspace.getConfiguration('runhook').update('listener.forwardTo', undefined);
    await vscode.workspace.fs.delete(uri('server'), { recursive: true });
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await command('stopSandbox');
    await command('stopListener');
  });

  it('stops at a breakpoint when the sandbox delivers, and verifies by the secret that it was started with', async () => {
    port = await findFreePort();
    await vscode.window.showTextDocument(file);
    await answerPrompts('server/handler.cjs', `127.0.0.1:${port}/hook`);
    const breakpoint = new vscode.SourceBreakpoint(new vscode.Location(file, new vscode.Position(line, 0)));
    vscode.debug.addBreakpoints([breakpoint]);
    const app = new DebuggedApp();
    try {
      assert.deepEqual(await command('debugHandler'), { name });
      assert.deepEqual(await answerPrompts(), []);
      // Not before a task, which the editor does not start without a question where a file has an error.
      assert.deepEqual(vscode.tasks.taskExecutions, []);
      await app.waitForOutput('ready');
      await command('runApp', { projectId, appName: 'echo', body: {}, webhook: true });
      const stop = await app.waitForStop();
      assert.deepEqual(await stop.place(), { file: 'handler.cjs', line: line + 1 });
      await stop.resume();
      const forward = await eventually(async () => (await deliveries())[0]?.forward);
      assert.equal(forward.status, 200);
      assert.equal(forward.to, `http://127.0.0.1:${port}/hook`);
    } finally {
      await app.end();
      vscode.debug.removeBreakpoints([breakpoint]);
    }
  });

  it('is started again for a delivery without a question', async () => {
    const [delivery] = await deliveries();
    const breakpoint = new vscode.SourceBreakpoint(new vscode.Location(file, new vscode.Position(line, 0)));
    vscode.debug.addBreakpoints([breakpoint]);
    const app = new DebuggedApp();
    try {
      await answerPrompts();
      assert.deepEqual(await command('debugDelivery', { id: delivery!.id }), { session: name });
      await (await app.waitForStop()).resume();
    } finally {
      await app.end();
      vscode.debug.removeBreakpoints([breakpoint]);
    }
  });

  it('is not started where it already listens without the debugger', async () => {
    const running = await Receiver.start();
    try {
      await assert.rejects(
        command('debugHandler', { file: 'server/handler.cjs', to: running.url }),
        /already listens at 127\.0\.0\.1:\d+, but not under the debugger/,
      );
    } finally {
      await running.close();
    }
  });

  it('says that nothing stops without a breakpoint, and sets one at its first line', async () => {
    await shownMessages();
    const first = handler.split('\n').findIndex((text) => text.includes("let body = ''"));
    const verb = `Stop at server/handler.cjs:${first + 1}`;
    await answerPrompts({ verb });
    const app = new DebuggedApp();
    try {
      await command('debugHandler', { file: 'server/handler.cjs', to: `127.0.0.1:${port}/hook` });
      await app.waitForOutput('ready');
      const [set] = await eventually(() =>
        vscode.debug.breakpoints.length > 0 ? vscode.debug.breakpoints : undefined,
      );
      assert.equal((set as vscode.SourceBreakpoint).location.range.start.line, first);
      const message = 'server/handler.cjs runs, without a breakpoint. A delivery stops where you set one.';
      assert.deepEqual(await shownMessages(), [{ message, verbs: [verb] }]);
    } finally {
      await app.end();
      vscode.debug.removeBreakpoints(vscode.debug.breakpoints);
    }
  });

  it('is saved first where it is a new document', async () => {
    const made = uri('server', 'made.cjs');
    const document = await vscode.workspace.openTextDocument(made.with({ scheme: 'untitled' }));
    const editor = await vscode.window.showTextDocument(document);
    await editor.edit((edit) => edit.insert(new vscode.Position(0, 0), handler));
    await answerPrompts('server/made.cjs', `127.0.0.1:${port}/hook`);
    const app = new DebuggedApp();
    try {
      assert.deepEqual(await command('debugHandler'), { name }, JSON.stringify(await shownMessages()));
      await app.waitForOutput('ready');
      assert.equal(Buffer.from(await vscode.workspace.fs.readFile(made)).toString(), handler);
    } finally {
      await app.end();
      await vscode.commands.executeCommand('workbench.action.closeActiveEditor');
      await vscode.workspace.fs.delete(made);
      await vscode.window.showTextDocument(file);
    }
  });

  it('is offered to be put into launch.json, for the open file alone, where its folder is asked for', async () => {
    const offered = () => offeredConfigurations(folder, { rest: { kind: 'off' } });
    const [configuration] = await offered();
    assert.deepEqual(configuration && { ...configuration, skipFiles: [] }, {
      ...{ name, type: 'node', request: 'launch', skipFiles: [] },
      program: '${workspaceFolder}/server/handler.cjs',
      preLaunchTask: 'runhook: listen',
      env: { WEBHOOK_SECRET: '${command:runhook.webhookSecret}', PORT: '3000' },
    });
    assert.deepEqual(await offeredConfigurations(undefined, { rest: { kind: 'off' } }), []);
    await writeTasksJson([{ label: 'hear', type: 'runhook', task: 'listen' }]);
    try {
      await eventually(async () => ((await offered())[0]?.preLaunchTask === 'hear' ? true : undefined));
    } finally {
      await writeTasksJson([]);
    }
    const named = uri('server', '${command:runhook.webhookSecret}.js');
    for (const other of [named, uri('server', 'main.go')]) {
      await vscode.workspace.fs.writeFile(other, Buffer.from(''));
      await vscode.window.showTextDocument(other);
      assert.deepEqual(await offered(), []);
    }
  });

  it('is looked for at the address that the message about its failure has set', async () => {
    await vscode.workspace.fs.writeFile(uri('server', 'broken.cjs'), Buffer.from('throw new Error("no");'));
    const [first, second] = [await findFreePort(), await findFreePort()].map((free) => `127.0.0.1:${free}`);
    await shownMessages();
    await answerPrompts('server/broken.cjs', first, { verb: 'Forward to…' }, second);
    await command('debugHandler');
    const messages: string[] = [];
    await eventually(async () => {
      messages.push(...(await shownMessages()).map(({ message }) => message));
      return messages.length === 2 || undefined;
    });
    for (const [index, host] of [first, second].entries())
      assert.ok(messages[index]?.includes(`ended before it listened on ${host}.`), messages[index]);
    const forwarded = vscode.workspace.getConfiguration('runhook').get('listener.forwardTo');
    assert.equal(forwarded, `http://${second}`);
  });

  it('is forwarded to by one click where F5 starts it and nothing is forwarded', async () => {
    const forwarded = () => vscode.workspace.getConfiguration('runhook').get<string>('listener.forwardTo');
    await vscode.workspace.getConfiguration('runhook').update('listener.forwardTo', undefined);
    await vscode.window.showTextDocument(file);
    const [offered] = await offeredConfigurations(folder, { rest: { kind: 'off' } });
    const free = String(await findFreePort());
    await shownMessages();
    await answerPrompts({ verb: `Forward to http://localhost:${free}` });
    const app = new DebuggedApp();
    try {
      await vscode.debug.startDebugging(folder, {
        ...offered!,
        env: { ...(offered!['env'] as object), PORT: free },
      });
      await app.waitForOutput('ready');
      await eventually(() => forwarded() === `http://localhost:${free}` || undefined);
      const said = 'Your handler runs, but deliveries are not forwarded to it.';
      assert.deepEqual(
        (await shownMessages()).map(({ message }) => message),
        [said],
      );
    } finally {
      await app.end();
    }
  });

  it('is not said to run where it ends as it starts, such as where its port is taken', async () => {
    await vscode.workspace.getConfiguration('runhook').update('listener.forwardTo', undefined);
    await vscode.window.showTextDocument(file);
    const [offered] = await offeredConfigurations(folder, { rest: { kind: 'off' } });
    const running = await Receiver.start();
    let hasEnded = false;
    const ended = vscode.debug.onDidTerminateDebugSession(({ configuration, parentSession }) => {
      hasEnded ||= configuration.name === name && parentSession === undefined;
    });
    try {
      await shownMessages();
      const env = { ...(offered!['env'] as object), PORT: new URL(running.url).port };
      await vscode.debug.startDebugging(folder, { ...offered!, env });
      await eventually(() => hasEnded || undefined);
      assert.deepEqual(await shownMessages(), []);
    } finally {
      ended.dispose();
      await running.close();
    }
  });

  it('is a file of the workspace that Node or Python runs, whose name is no variable', async () => {
    for (const one of ['server/main.go', process.execPath]) {
      await assert.rejects(command('debugHandler', { file: one, to: '4100' }), /Runhook cannot debug/);
    }
    const named = 'server/${command:runhook.webhookSecret}.js';
    await assert.rejects(command('debugHandler', { file: named, to: '4100' }), /reads "\$\{" as a variable/);
    const python = command('debugHandler', { file: 'server/other.py', to: '4100' });
    await assert.rejects(python, /needs the extension Python Debugger, which is not installed/);
  });
});
